import { createKeyReader, type Press } from './key-reader.ts';

const press = (key: string, more: Partial<Press> = {}): Press => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isTyping: false,
  ...more,
});

describe('shortcuts', () => {
  const read = createKeyReader(['Mod+k', '?', '/', 'g s', 'g f', 'f']);
  let nowMs = 0;
  const type = (keys: string, more?: Partial<Press>) => [...keys].map((key) => read(press(key, more), nowMs));

  it('are one key, or two in quick succession', () => {
    expect(type('?')).toEqual(['?']);
    expect(type('gs')).toEqual([undefined, 'g s']);
    expect(type('gf')).toEqual([undefined, 'g f']);
    expect(type('xf')).toEqual([undefined, 'f']);
    expect(type('ggs')).toEqual([undefined, undefined, 'g s']);
  });

  it('with two keys are discarded if the second is not pressed in time', () => {
    expect(type('g')).toEqual([undefined]);
    nowMs += 10_000;
    expect(type('s')).toEqual([undefined]);
  });

  it('type ordinary letters in text fields, except for those with a modifier', () => {
    expect(type('gf?', { isTyping: true })).toEqual([undefined, undefined, undefined]);
    expect(read(press('k', { ctrlKey: true, isTyping: true }), nowMs)).toBe('Mod+k');
    expect(read(press('K', { metaKey: true }), nowMs)).toBe('Mod+k');
    expect(type('f', { altKey: true })).toEqual([undefined]);
  });
});
