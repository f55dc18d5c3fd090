'use strict';
// A spec and a run of it, as docs/language.md has them.

const { CelError, evaluate, isSet, parse, toText } = require('./cel.js');
const { stringify } = require('./json.js');

const LIMIT = 1000;
const BOUND = 2n ** 53n;
const ALIASES = { int: 'integer', float: 'number', double: 'number', bool: 'boolean' };

class Rejected extends Error {}

const kindOf = (name) => ALIASES[name] ?? name;
const listOf = (map, key) => map.get(key) ?? [];

function emptyOf(kind) {
  switch (kind) {
    case 'string':
    case 'enum': return '';
    case 'list': return [];
    case 'map': return new Map();
    default: return null;
  }
}

// A value from outside in the form in which it is kept.
function fitted(field, value) {
  if (value === null || value === '') throw new Rejected('empty-value');
  if (field.kind === 'list') {
    if (!Array.isArray(value)) throw new Rejected('type-mismatch');
    if (value.length === 0) throw new Rejected('empty-value');
    return value.map((item) => fittedScalar(field.of, [], item));
  }
  if (field.kind === 'map') {
    if (!(value instanceof Map)) throw new Rejected('type-mismatch');
    if (value.size === 0) throw new Rejected('empty-value');
    return new Map([...value].map(([key, item]) => [key, fittedScalar(field.of, [], item)]));
  }
  return fittedScalar(field.kind, field.values, value);
}

function fittedScalar(kind, values, value) {
  if (typeof value === 'bigint' && (kind === 'integer' || kind === 'number')) {
    if (value > BOUND || value < -BOUND) throw new Rejected('type-mismatch');
    return kind === 'integer' ? value : Number(value);
  }
  if (kind === 'number' && typeof value === 'number') return value;
  if (kind === 'boolean' && typeof value === 'boolean') return value;
  if ((kind === 'string' || kind === 'enum') && typeof value === 'string') {
    if (kind === 'enum' && !values.includes(value)) throw new Rejected('not-in-values');
    return value;
  }
  throw new Rejected('type-mismatch');
}

// A value that an action or a default gives to a field.
function written(field, value) {
  if (!isSet(value)) return emptyOf(field.kind);
  if (field.kind === 'enum' && !field.values.includes(value)) throw new CelError('not among the values');
  if (field.kind === 'list') return value.map((item) => scalar(field.of, item));
  if (field.kind === 'map') return new Map([...value].map(([key, item]) => [key, scalar(field.of, item)]));
  return scalar(field.kind, value);
}

function scalar(kind, value) {
  if (value === null) throw new CelError('null cannot be an element');
  return kind === 'number' && typeof value === 'bigint' ? Number(value) : value;
}

// Text taken apart at ${ … }, with braces and quotes inside minded.
function template(text) {
  const parts = [];
  let from = 0;
  for (let start = text.indexOf('${'); start !== -1; start = text.indexOf('${', from)) {
    let end = start + 2;
    let depth = 1;
    for (let quote = null; end < text.length; end += 1) {
      const letter = text[end];
      if (quote !== null) {
        if (letter === '\\') end += 1;
        else if (letter === quote) quote = null;
      } else if (letter === '"' || letter === "'") quote = letter;
      else if (letter === '{') depth += 1;
      else if (letter === '}' && (depth -= 1) === 0) break;
    }
    if (start > from) parts.push(text.slice(from, start));
    parts.push({ expression: parse(text.slice(start + 2, end)) });
    from = end + 1;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

function readValue(value) {
  if (typeof value !== 'string' || !value.includes('${')) return () => value;
  const parts = template(value);
  if (parts.length === 1) return (scope) => evaluate(parts[0].expression, scope);
  return (scope) => parts.map((part) => (typeof part === 'string' ? part : toText(evaluate(part.expression, scope)))).join('');
}

function readActions(list) {
  return list.map((action) => {
    const [[operator, targets]] = [...action];
    const writes = [];
    for (const [field, value] of targets) {
      if (operator === 'put') for (const [key, item] of value) writes.push({ field, key, value: readValue(item) });
      else writes.push({ field, value: readValue(value) });
    }
    return { operator, writes };
  });
}

function readState(name, state) {
  return {
    name,
    terminal: state.get('terminal') === true,
    requires: listOf(state, 'requires').map((item) => ({ field: item.get('name'), agent: item.get('from').get('agent') })),
    entry: readActions(listOf(state, 'entry')),
    exit: readActions(listOf(state, 'exit')),
    transitions: listOf(state, 'transitions').map((transition) => ({
      target: transition.get('toState'),
      actions: readActions(listOf(transition, 'onTransition')),
      guards: listOf(transition, 'guards').map((guard) =>
        guard.get('backend') === 'cel' ? parse(guard.get('expression')) : null),
    })),
  };
}

function readSpec(document) {
  const fsm = document.get('fsm') ?? document;
  const states = new Map([...fsm.get('states')].map(([name, state]) => [name, readState(name, state ?? new Map())]));
  const bound = new Set();
  for (const state of states.values()) {
    for (const { field } of state.requires) bound.add(field);
    const actions = [...state.entry, ...state.exit, ...state.transitions.flatMap((transition) => transition.actions)];
    for (const action of actions) for (const { field } of action.writes) bound.add(field);
  }
  const fields = new Map([...(fsm.get('context') ?? [])].map(([name, slot]) => {
    const field = { kind: kindOf(slot.get('type')), values: listOf(slot, 'values'), of: kindOf(slot.get('of')) };
    field.input = !slot.has('default') && !bound.has(name);
    field.initial = written(field, slot.get('default') ?? null);
    return [name, field];
  }));
  const agents = new Map([...(fsm.get('agents') ?? [])].map(([name, agent]) => [name, listOf(agent, 'canTransition')]));
  return { initial: fsm.get('initialState'), states, fields, agents, policy: fsm.get('policy') ?? new Map() };
}

class Machine {
  constructor(document, profile) {
    this.spec = readSpec(document);
    if (!this.spec.states.has(this.spec.initial)) throw new Error('the initial state is not declared');
    this.gated = profile !== 'eager';
  }

  start(inputs) {
    const store = new Map();
    for (const name of inputs.keys()) if (!this.spec.fields.get(name)?.input) throw new Error(`${name} is no input`);
    for (const [name, field] of this.spec.fields) {
      if (field.input && !inputs.has(name)) throw new Error(`the input ${name} is missing`);
      store.set(name, field.input ? fitted(field, inputs.get(name)) : field.initial);
    }
    Object.assign(this, { store, state: this.spec.initial, total: 0n, microsteps: [], guardErrors: [] });
    this.beginVisit();
    try {
      this.store = this.act(this.spec.states.get(this.state).entry, store);
    } catch (error) {
      return this.rest(this.failed(error));
    }
    return this.advance();
  }

  exchange(agent, writes) {
    Object.assign(this, { microsteps: [], guardErrors: [] });
    if (this.status !== 'waiting') return this.answer('not-waiting');
    if (this.exhausted(agent)) {
      Object.assign(this, { status: 'capped', cap: 'maxExchangesPerAgentPerStage' });
      return this.answer('not-waiting');
    }
    this.total += 1n;
    this.visit += 1n;
    this.byAgent.set(agent, (this.byAgent.get(agent) ?? 0n) + 1n);
    try {
      this.store = new Map([...this.store, ...this.accepted(agent, writes)]);
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      return this.rest('waiting', error.message);
    }
    return this.advance();
  }

  accepted(agent, writes) {
    if (!this.spec.agents.has(agent)) throw new Rejected('unknown-agent');
    const asked = this.spec.states.get(this.state).requires.filter((item) => item.agent === agent).map((item) => item.field);
    if (!this.spec.agents.get(agent).includes(this.state) || (asked.length === 0 && writes.size === 0)) {
      throw new Rejected('not-authorised');
    }
    return [...writes].map(([name, value]) => {
      if (!this.spec.fields.has(name)) throw new Rejected('unknown-field');
      if (!asked.includes(name)) throw new Rejected('not-writable');
      return [name, fitted(this.spec.fields.get(name), value)];
    });
  }

  advance() {
    const seen = new Set([this.key()]);
    for (;;) {
      const state = this.spec.states.get(this.state);
      if (state.terminal) return this.rest('done');
      const unmet = this.unmet();
      const index = unmet.length > 0 && this.gated ? -1 : state.transitions.findIndex((one, place) => this.enabled(one, place, unmet));
      if (index === -1) return this.rest(unmet.length > 0 ? 'waiting' : 'stuck');
      if (this.microsteps.length === LIMIT) return this.rest('runaway');
      const { target, actions } = state.transitions[index];
      try {
        let { store } = this;
        for (const phase of [state.exit, actions, this.spec.states.get(target).entry]) store = this.act(phase, store);
        this.store = store;
      } catch (error) {
        return this.rest(this.failed(error));
      }
      this.microsteps.push({ from: this.state, transition: BigInt(index), to: target, store: this.store });
      this.state = target;
      this.beginVisit();
      if (seen.has(this.key())) return this.rest('no-progress');
      seen.add(this.key());
    }
  }

  enabled(transition, place, unmet) {
    if (transition.guards.length === 0) return unmet.length === 0;
    return transition.guards.every((guard, number) => this.holds(guard, place, number));
  }

  holds(guard, transition, number) {
    let message = 'not a boolean';
    try {
      const value = guard === null ? null : evaluate(guard, new Map([['context', this.store]]));
      if (typeof value === 'boolean') return value;
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
      ({ message } = error);
    }
    const microstep = BigInt(this.microsteps.length);
    this.guardErrors.push({ microstep, state: this.state, transition: BigInt(transition), guard: BigInt(number), message });
    return false;
  }

  act(actions, before) {
    let store = before;
    for (const { operator, writes } of actions) {
      const after = new Map(store);
      const scope = new Map([['context', store]]);
      for (const { field, key, value } of writes) {
        const slot = this.spec.fields.get(field);
        const made = value(scope);
        if (operator === 'append') after.set(field, [...after.get(field), scalar(slot.of, made)]);
        else if (operator === 'put') after.set(field, new Map([...after.get(field), [key, scalar(slot.of, made)]]));
        else after.set(field, written(slot, made));
      }
      store = after;
    }
    return store;
  }

  failed(error) {
    if (!(error instanceof CelError)) throw error;
    return 'failed';
  }

  beginVisit() {
    this.visit = 0n;
    this.byAgent = new Map();
  }

  unmet() {
    return this.spec.states.get(this.state).requires.filter((item) => !isSet(this.store.get(item.field)));
  }

  key() {
    const sorted = [...this.store].map(([name, value]) => [name, value instanceof Map ? new Map([...value].sort()) : value]);
    return stringify([this.state, sorted]);
  }

  exhausted(agent) {
    const cap = this.spec.policy.get('maxExchangesPerAgentPerStage');
    return cap !== undefined && (this.byAgent.get(agent) ?? 0n) >= cap;
  }

  reachedCap() {
    const { policy } = this.spec;
    if (policy.has('maxIterations') && this.total >= policy.get('maxIterations')) return 'maxIterations';
    if (policy.has('maxExchangesPerStage') && this.visit >= policy.get('maxExchangesPerStage')) return 'maxExchangesPerStage';
    const asked = this.spec.states.get(this.state).requires.map((item) => item.agent);
    const acting = asked.filter((agent) => this.spec.agents.get(agent)?.includes(this.state));
    return acting.length > 0 && acting.every((agent) => this.exhausted(agent)) ? 'maxExchangesPerAgentPerStage' : null;
  }

  rest(status, rejected) {
    this.cap = status === 'waiting' ? this.reachedCap() : null;
    this.status = this.cap === null ? status : 'capped';
    return this.answer(rejected);
  }

  answer(rejected) {
    const { microsteps, state, status, store } = this;
    const answer = { microsteps, state, status, store, awaits: status === 'waiting' ? this.unmet() : [] };
    if (this.cap !== null) answer.cap = this.cap;
    if (this.guardErrors.length > 0) answer.guardErrors = this.guardErrors;
    if (rejected !== undefined) answer.rejected = rejected;
    return answer;
  }
}

module.exports = { Machine };
