import { hashCall, holdsInexactNumber } from './call-hash.ts';

const CALL = {
  caller: 'api_key:1',
  server: 'db',
  toolName: 'write',
  arguments: { table: 't', rows: [{ a: 1, b: 2 }] },
  definitionHash: null,
};
const hash = (change: object = {}) => hashCall({ ...CALL, ...change }).toString('hex');

describe('the hash of a call (APR-6)', () => {
  it('is the same for the same call, however its keys are ordered', () => {
    expect(hash({ arguments: { rows: [{ b: 2, a: 1 }], table: 't' } })).toBe(hash());
  });

  it.each<[string, object]>([
    ['caller', { caller: 'api_key:2' }],
    ['server', { server: 'files' }],
    ['tool', { toolName: 'read' }],
    ['description of the tool', { definitionHash: 'a'.repeat(64) }],
    ['argument', { arguments: { ...CALL.arguments, table: 'u' } }],
    ['argument left out', { arguments: { table: 't' } }],
    ['order of a list', { arguments: { table: 't', rows: [{ a: 1 }, { b: 2 }] } }],
    ['a number as a text', { arguments: { table: 't', rows: [{ a: '1', b: 2 }] } }],
    ['a border between two fields', { server: 'dbwrite', toolName: '' }],
  ])('is another one for another %s', (_what, change) => {
    expect(hash(change)).not.toBe(hash());
  });

  it('counts a key that is called like something of every object', () => {
    expect(hash({ arguments: JSON.parse('{"__proto__": 1}') })).not.toBe(hash({ arguments: {} }));
  });
});

describe('a number that may have been another one', () => {
  it.each(['9007199254740993', '-9007199254740992', '1e400', '[[{"a": 1e16}]]'])('is found: %s', (text) => {
    expect(holdsInexactNumber(JSON.parse(text))).toBe(true);
  });

  it.each(['9007199254740991', '0.1', '"9007199254740993"', '[1, {"a": null}]'])('is not seen in %s', (text) => {
    expect(holdsInexactNumber(JSON.parse(text))).toBe(false);
  });
});
