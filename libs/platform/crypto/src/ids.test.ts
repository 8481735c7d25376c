import fc from 'fast-check';
import { deterministicId, isUuid, newId } from './ids.ts';

describe('row ids (API-9)', () => {
  it('are unique and in the order of creation, even within one millisecond', () => {
    const ids = Array.from({ length: 20_000 }, newId);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...ids].sort()).toEqual(ids);
    expect(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toBe(
      true,
    );
    expect(ids.every(isUuid)).toBe(true);
  });

  it('begin with the time, and end with unpredictable bytes', () => {
    const [before, id, after] = [Date.now(), newId(), Date.now()];
    const millis = Number.parseInt(id.replace('-', '').slice(0, 12), 16);
    // Earlier ids of the same millisecond may have advanced the timestamp.
    expect(millis).toBeGreaterThanOrEqual(before);
    expect(millis).toBeLessThanOrEqual(after + 1);
    const ends = Array.from({ length: 5000 }, () => newId().slice(-10));
    expect(new Set(ends).size).toBe(ends.length);
  });
});

describe('ids of facts (API-9)', () => {
  it('are the same in every deployment and every version', () => {
    expect(deterministicId('session.ended', '0198c3b0-0000-7000-8000-000000000000')).toBe(
      '6977b930-7165-51be-854f-ce69e7250a30',
    );
  });

  it('differ whenever the parts differ, for any client string', () => {
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

describe('recognizing ids', () => {
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
