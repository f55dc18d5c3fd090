'use strict';
// A reducer that speaks fsmcheck.reducer/1: one JSON object a line in, one answer a line out.
// Written from docs/language.md and docs/formats.md; it shares no code with the reference.

const readline = require('node:readline');
const { parse, stringify } = require('./json.js');
const { Machine } = require('./machine.js');

let machine = null;

function answer(request) {
  switch (request.get('op')) {
    case 'load':
      machine = new Machine(request.get('spec'), request.get('profile'));
      return { ok: true };
    case 'start':
      return machine.start(request.get('inputs') ?? new Map());
    case 'exchange':
      return machine.exchange(request.get('agent'), request.get('writes') ?? new Map());
    default:
      throw new Error('unknown operation');
  }
}

const lines = readline.createInterface({ input: process.stdin, crlfDelay: Infinity });
lines.on('line', (line) => {
  let told;
  try {
    const request = parse(line);
    if (request.get('op') === 'close') {
      lines.close();
      process.exit(0);
    }
    told = answer(request);
  } catch (error) {
    told = { ok: false, error: String(error.message) };
  }
  process.stdout.write(`${stringify(told)}\n`);
});
