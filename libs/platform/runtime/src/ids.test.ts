import fc from 'fast-check';
import { deterministicId, isUuid, newId } from './ids.ts';

describe('row ids', () => {
  it('are unique and in the order they were made, also within one millisecond', () => {
    const ids = Array.from({ length: 20_000 }, newId);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...ids].sort()).toEqual(ids);
    expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  });
});

describe('ids of facts', () => {
  it('are the same on every deployment for ever', () => {
    expect(deterministicId('session.ended', '0198c3b0-0000-7000-8000-000000000000')).toBe(
      '6977b930-7165-51be-854f-ce69e7250a30',
    );
  });

  it('differ whenever the parts differ, whatever text a client puts into them', () => {
    const part = fc
      .array(fc.constantFrom('a', '0', '1', '\u001b', '\u001f'), { maxLength: 4 })
      .map((list) => list.join(''));
    const parts = fc.array(part, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(parts, parts, (left, right) => {
        expect(deterministicId(...left) === deterministicId(...right)).toBe(
          JSON.stringify(left) === JSON.stringify(right),
        );
      }),
      { numRuns: 2000 },
    );
  });
});

describe('recognising ids', () => {
  it.each([
    ['0198c3b0-0000-7000-8000-000000000000', true],
    ['0198C3B0-0000-7000-8000-000000000000', true],
    ['0198c3b0000070008000000000000000', false],
    ["0198c3b0-0000-7000-8000-000000000000'", false],
    ['{0198c3b0-0000-7000-8000-000000000000}', false],
    ['', false],
    [7, false],
    [null, false],
    [['0198c3b0-0000-7000-8000-000000000000'], false],
  ])('%j: %s', (value, expected) => {
    expect(isUuid(value)).toBe(expected);
  });
});
