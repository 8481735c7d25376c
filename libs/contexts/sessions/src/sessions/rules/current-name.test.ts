import fc from 'fast-check';
import { GATEWAY_SOURCE_TYPE, isNameOfCurrent } from './current-name.ts';

const ID = '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b11';

describe('names reserved for the gateway (SESS-26)', () => {
  it('are `key:` or `user:`, an id, a colon and any text, for any id', () => {
    const names = fc.tuple(fc.constantFrom('key', 'user'), fc.uuid(), fc.string()).map((parts) => parts.join(':'));
    fc.assert(fc.property(names, (name) => expect(isNameOfCurrent(GATEWAY_SOURCE_TYPE, name)).toBe(true)));
  });

  it.each([`key:${ID}:`, `KEY:${ID}:x`, `User:${ID.toUpperCase()}:${ID}`, `user:${ID}:\nmore`])('cover %j', (name) => {
    expect(isNameOfCurrent('gateway', name)).toBe(true);
  });

  it.each([
    ['no colon behind the id', `key:${ID}`],
    ['another word before it', `team:${ID}:x`],
    ['something before the word', `imported:key:${ID}:x`],
    ['white space before it', ` key:${ID}:x`],
    ['a line before it', `x\nkey:${ID}:x`],
    ['an id that is none', `key:${'g'.repeat(36)}:x`],
    ['an id that is cut', `key:${ID.slice(1)}:x`],
    ['nothing', ''],
  ])('do not include one with %s', (_what, name) => {
    expect(isNameOfCurrent('gateway', name)).toBe(false);
  });

  it.each(['ci', 'Gateway', 'gateway ', ''])('do not apply to sessions of the type %j', (type) => {
    expect(isNameOfCurrent(type, `key:${ID}:x`)).toBe(false);
  });
});
