'use strict';
// The part of CEL that docs/language.md lists. Integers are BigInt, numbers are Number, maps are Map.

class CelError extends Error {}

const INT_MAX = 2n ** 63n - 1n;
const INT_MIN = -(2n ** 63n);
const TOKEN = new RegExp(
  [
    String.raw`\s+`,
    String.raw`(?<number>(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)`,
    String.raw`(?<integer>\d+)`,
    String.raw`(?<name>[A-Za-z_]\w*)`,
    String.raw`(?<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')`,
    String.raw`(?<sign>&&|\|\||==|!=|<=|>=|[-+*/%!<>?:.,()[\]{}])`,
  ].join('|'),
  'yu',
);
const ESCAPES = { n: '\n', t: '\t', r: '\r' };

function tokens(source) {
  const found = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.length) {
    const match = TOKEN.exec(source);
    if (!match) throw new Error(`cannot read ${source}`);
    const { number, integer, name, text, sign } = match.groups;
    if (number !== undefined) found.push({ kind: 'literal', value: Number(number) });
    else if (integer !== undefined) found.push({ kind: 'literal', value: BigInt(integer) });
    else if (text !== undefined) {
      const value = text.slice(1, -1).replace(/\\(.)/gsu, (_, letter) => ESCAPES[letter] ?? letter);
      found.push({ kind: 'literal', value });
    } else if (name !== undefined) found.push({ kind: name === 'in' ? 'sign' : 'name', value: name });
    else if (sign !== undefined) found.push({ kind: 'sign', value: sign });
  }
  return found;
}

function parse(source) {
  const all = tokens(source);
  let at = 0;

  const next = (...signs) => at < all.length && all[at].kind === 'sign' && signs.includes(all[at].value);
  const take = (...signs) => (next(...signs) ? all[at++].value : null);
  function expect(sign) {
    if (take(sign) === null) throw new Error(`expected ${sign} in ${source}`);
  }

  function conditional() {
    const condition = either();
    if (take('?') === null) return condition;
    const then = either();
    expect(':');
    return { op: '?:', condition, then, otherwise: conditional() };
  }

  function chain(inner, ...signs) {
    return () => {
      let left = inner();
      for (let op = take(...signs); op !== null; op = take(...signs)) left = { op, left, right: inner() };
      return left;
    };
  }

  const product = chain(unary, '*', '/', '%');
  const sum = chain(product, '+', '-');
  const relation = chain(sum, '==', '!=', '<', '<=', '>', '>=', 'in');
  const both = chain(relation, '&&');
  const either = chain(both, '||');

  function unary() {
    const op = take('!', '-');
    return op === null ? member() : { op: op === '!' ? 'not' : 'negate', operand: unary() };
  }

  function items(end) {
    const found = [];
    while (take(end) === null) {
      found.push(conditional());
      if (!next(end)) expect(',');
    }
    return found;
  }

  function member() {
    let operand = primary();
    for (;;) {
      if (take('.') !== null) {
        const name = all[at++].value;
        operand = take('(') === null ? { op: 'select', operand, name } : { op: 'call', name, args: [operand, ...items(')')] };
      } else if (take('[') !== null) {
        operand = { op: 'index', operand, index: conditional() };
        expect(']');
      } else return operand;
    }
  }

  function primary() {
    if (take('(') !== null) {
      const inner = conditional();
      expect(')');
      return inner;
    }
    if (take('[') !== null) return { op: 'list', items: items(']') };
    if (take('{') !== null) {
      const entries = [];
      while (take('}') === null) {
        const key = conditional();
        expect(':');
        entries.push([key, conditional()]);
        if (!next('}')) expect(',');
      }
      return { op: 'map', entries };
    }
    const token = all[at++];
    if (token === undefined || token.kind === 'sign') throw new Error(`cannot read ${source}`);
    if (token.kind === 'literal') return { op: 'literal', value: token.value };
    const constants = { true: true, false: false, null: null };
    if (token.value in constants) return { op: 'literal', value: constants[token.value] };
    return take('(') === null ? { op: 'name', name: token.value } : { op: 'call', name: token.value, args: items(')') };
  }

  const whole = conditional();
  if (at !== all.length) throw new Error(`cannot read all of ${source}`);
  return whole;
}

function isSet(value) {
  if (value === null || value === '') return false;
  return !(Array.isArray(value) && value.length === 0) && !(value instanceof Map && value.size === 0);
}

function equal(one, other) {
  if (typeof one !== typeof other) {
    const numeric = (value) => typeof value === 'bigint' || typeof value === 'number';
    return numeric(one) && numeric(other) && Number(one) === Number(other);
  }
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, place) => equal(item, other[place]));
  }
  if (one instanceof Map && other instanceof Map) {
    return one.size === other.size && [...one].every(([key, item]) => other.has(key) && equal(item, other.get(key)));
  }
  return one === other;
}

function codePoints(text) {
  return [...text].map((character) => character.codePointAt(0));
}

function less(one, other) {
  if (typeof one === 'string' && typeof other === 'string') {
    const [left, right] = [codePoints(one), codePoints(other)];
    const place = left.findIndex((point, index) => point !== right[index]);
    return place === -1 ? left.length < right.length : place < right.length && left[place] < right[place];
  }
  const kinds = [typeof one, typeof other];
  const numeric = kinds.every((kind) => kind === 'bigint' || kind === 'number');
  if (!numeric && !kinds.every((kind) => kind === 'boolean')) throw new CelError('these have no order');
  return one < other;
}

function int64(value) {
  if (value > INT_MAX || value < INT_MIN) throw new CelError('overflow');
  return value;
}

function arithmetic(op, left, right) {
  if (typeof left === 'bigint' && typeof right === 'bigint') {
    if ((op === '/' || op === '%') && right === 0n) throw new CelError('division by zero');
    const made = { '+': () => left + right, '-': () => left - right, '*': () => left * right, '/': () => left / right, '%': () => left % right };
    return int64(made[op]());
  }
  if (typeof left === 'number' && typeof right === 'number' && op !== '%') {
    return { '+': left + right, '-': left - right, '*': left * right, '/': left / right }[op];
  }
  if (op === '+' && typeof left === 'string' && typeof right === 'string') return left + right;
  if (op === '+' && Array.isArray(left) && Array.isArray(right)) return [...left, ...right];
  throw new CelError(`${op} does not go with these`);
}

function toText(value) {
  if (value === null || typeof value === 'object') throw new CelError('this has no text');
  return typeof value === 'number' ? numberText(value) : String(value);
}

function numberText(value) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
  if (Object.is(value, -0)) return '-0';
  const [digits, exponent] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

function toInteger(value) {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return int64(BigInt(Math.trunc(value)));
  if (typeof value === 'string' && /^[+-]?\d+$/u.test(value)) return int64(BigInt(value.replace(/^\+/u, '')));
  throw new CelError('this is no integer');
}

function toNumber(value) {
  if (typeof value === 'bigint' || typeof value === 'number') return Number(value);
  if (typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value))) return Number(value);
  throw new CelError('this is no number');
}

function toBoolean(value) {
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 'false') return value === 'true';
  throw new CelError('this is no boolean');
}

function size(value) {
  if (typeof value === 'string') return BigInt([...value].length);
  if (Array.isArray(value)) return BigInt(value.length);
  if (value instanceof Map) return BigInt(value.size);
  throw new CelError('this has no size');
}

function text(value) {
  if (typeof value !== 'string') throw new CelError('this is no text');
  return value;
}

const FUNCTIONS = {
  size,
  string: toText,
  int: toInteger,
  double: toNumber,
  bool: toBoolean,
  startsWith: (one, other) => text(one).startsWith(text(other)),
  endsWith: (one, other) => text(one).endsWith(text(other)),
  contains: (one, other) => text(one).includes(text(other)),
  matches: (one, pattern) => new RegExp(text(pattern), 'u').test(text(one)),
};

function condition(node, scope) {
  const value = evaluate(node, scope);
  if (typeof value !== 'boolean') throw new CelError('this is no condition');
  return value;
}

// The decisive value if any side has it, whatever failed; else the first failure; else the opposite.
function settle(decisive, tries) {
  let failure = null;
  for (const attempt of tries) {
    try {
      if (attempt() === decisive) return decisive;
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
      failure ??= error;
    }
  }
  if (failure !== null) throw failure;
  return !decisive;
}

function element(collection, index) {
  if (Array.isArray(collection)) {
    if (typeof index !== 'bigint' || index < 0n || index >= BigInt(collection.length)) throw new CelError('no such element');
    return collection[Number(index)];
  }
  if (collection instanceof Map && collection.has(index)) return collection.get(index);
  throw new CelError('no such entry');
}

function macro(name, args, scope) {
  const range = evaluate(args[0], scope);
  if (!Array.isArray(range) && !(range instanceof Map)) throw new CelError('this is no collection');
  const scopes = [...(range instanceof Map ? range.keys() : range)].map((item) => new Map([...scope, [args[1].name, item]]));
  const holds = (inner) => condition(args[2], inner);
  switch (name) {
    case 'all': return settle(false, scopes.map((inner) => () => holds(inner)));
    case 'exists': return settle(true, scopes.map((inner) => () => holds(inner)));
    case 'exists_one': return scopes.filter(holds).length === 1;
    case 'filter': return scopes.filter(holds).map((inner) => inner.get(args[1].name));
    default: {
      const kept = args.length > 3 ? scopes.filter(holds) : scopes;
      return kept.map((inner) => evaluate(args[args.length - 1], inner));
    }
  }
}

function call(node, scope) {
  const { name, args } = node;
  if (name === 'has') {
    const [{ operand, name: key }] = args;
    const value = evaluate(operand, scope);
    return operand.op === 'name' && operand.name === 'context' ? isSet(value.get(key)) : value.has(key);
  }
  if (['all', 'exists', 'exists_one', 'map', 'filter'].includes(name)) return macro(name, args, scope);
  if (!(name in FUNCTIONS)) throw new Error(`${name} is not supported`);
  return FUNCTIONS[name](...args.map((argument) => evaluate(argument, scope)));
}

// The value of a parsed expression; scope maps names to values, `context` among them. Throws CelError.
function evaluate(node, scope) {
  switch (node.op) {
    case 'literal': return node.value;
    case 'name': return scope.get(node.name);
    case 'select': return element(evaluate(node.operand, scope), node.name);
    case 'index': return element(evaluate(node.operand, scope), evaluate(node.index, scope));
    case 'list': return node.items.map((item) => evaluate(item, scope));
    case 'map': return new Map(node.entries.map(([key, value]) => [evaluate(key, scope), evaluate(value, scope)]));
    case 'call': return call(node, scope);
    case '?:': return evaluate(condition(node.condition, scope) ? node.then : node.otherwise, scope);
    case 'not': return !condition(node.operand, scope);
    case 'negate': {
      const value = evaluate(node.operand, scope);
      if (typeof value === 'bigint') return int64(-value);
      if (typeof value === 'number') return -value;
      throw new CelError('this cannot be negated');
    }
    case '&&':
    case '||':
      return settle(node.op === '||', [() => condition(node.left, scope), () => condition(node.right, scope)]);
    default:
      return binary(node.op, evaluate(node.left, scope), evaluate(node.right, scope));
  }
}

function binary(op, left, right) {
  switch (op) {
    case '==': return equal(left, right);
    case '!=': return !equal(left, right);
    case '<': return less(left, right);
    case '>': return less(right, left);
    case '<=': return less(left, right) || equal(left, right);
    case '>=': return less(right, left) || equal(left, right);
    case 'in':
      if (Array.isArray(right)) return right.some((item) => equal(item, left));
      if (right instanceof Map) return right.has(left);
      throw new CelError('this is no collection');
    default: return arithmetic(op, left, right);
  }
}

module.exports = { CelError, evaluate, isSet, parse, toText };
