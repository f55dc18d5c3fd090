'use strict';
// JSON with integers kept exact: a number without a fraction or an exponent is read as a BigInt.

function parse(text) {
  let at = 0;

  function fail() {
    throw new Error(`no JSON at ${at}`);
  }

  function blank() {
    while (' \t\n\r'.includes(text[at]) && at < text.length) at += 1;
  }

  function word(name, value) {
    if (!text.startsWith(name, at)) fail();
    at += name.length;
    return value;
  }

  function number() {
    const found = /^-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/.exec(text.slice(at));
    if (!found) fail();
    at += found[0].length;
    return found[1] || found[2] ? Number(found[0]) : BigInt(found[0]);
  }

  function string() {
    const from = at;
    at += 1;
    while (text[at] !== '"') {
      if (at >= text.length) fail();
      at += text[at] === '\\' ? 2 : 1;
    }
    at += 1;
    return JSON.parse(text.slice(from, at));
  }

  function list() {
    const items = [];
    at += 1;
    blank();
    if (text[at] === ']') {
      at += 1;
      return items;
    }
    for (;;) {
      items.push(value());
      blank();
      if (text[at] === ']') break;
      if (text[at] !== ',') fail();
      at += 1;
    }
    at += 1;
    return items;
  }

  function map() {
    const entries = new Map();
    at += 1;
    blank();
    if (text[at] === '}') {
      at += 1;
      return entries;
    }
    for (;;) {
      blank();
      if (text[at] !== '"') fail();
      const key = string();
      if (entries.has(key)) throw new Error(`the key ${key} occurs twice`);
      blank();
      if (text[at] !== ':') fail();
      at += 1;
      entries.set(key, value());
      blank();
      if (text[at] === '}') break;
      if (text[at] !== ',') fail();
      at += 1;
    }
    at += 1;
    return entries;
  }

  function value() {
    blank();
    switch (text[at]) {
      case '{': return map();
      case '[': return list();
      case '"': return string();
      case 't': return word('true', true);
      case 'f': return word('false', false);
      case 'n': return word('null', null);
      default: return number();
    }
  }

  const whole = value();
  blank();
  if (at !== text.length) fail();
  return whole;
}

function stringify(value) {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number' && !Number.isFinite(value)) return JSON.stringify(String(value));
  if (Array.isArray(value)) return `[${value.map(stringify).join(',')}]`;
  if (value instanceof Map) {
    return `{${[...value].map(([key, item]) => `${JSON.stringify(key)}:${stringify(item)}`).join(',')}}`;
  }
  if (value !== null && typeof value === 'object') return stringify(new Map(Object.entries(value)));
  return JSON.stringify(value);
}

module.exports = { parse, stringify };
