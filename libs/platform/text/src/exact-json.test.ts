import fc from 'fast-check';
import { parseExactJson, readExactNumber, toPlainJson, toReadableJson } from './exact-json.ts';

const NUMBERS = [
  ['0', 0],
  ['-0', 0],
  ['1.0', 1],
  ['1e3', 1000],
  ['1.50E+1', 15],
  ['0.1', 0.1],
  ['9007199254740992', 9007199254740992],
  ['9007199254740993', '9007199254740993'],
  ['1917043659912705296', '1917043659912705296'],
  ['-1917043659912705297', '-1917043659912705297'],
  ['18446744073709551615', '18446744073709551615'],
  ['1e400', '1e400'],
  ['-1e-400', '-1e-400'],
  ['0.1000000000000000055511151231257827', '0.1000000000000000055511151231257827'],
  ['5e-324', 5e-324],
  ['1.7976931348623157e308', Number.MAX_VALUE],
] as const;

describe('JSON numbers', () => {
  it.each(NUMBERS)('are written unchanged, and read by value: %s', (source, read) => {
    const text = `{"a":[${source}],"__proto__":${source}}`;
    const value = parseExactJson(text);
    expect(JSON.stringify(value)).toBe(text);
    expect(JSON.stringify(toReadableJson(value))).toBe(
      JSON.stringify(JSON.parse(`{"a":[${JSON.stringify(read)}],"__proto__":${JSON.stringify(read)}}`)),
    );
  });

  it('are converted to the nearest double for callers that need one', () => {
    expect(toPlainJson(parseExactJson('[1e400,9007199254740993,1.0]'))).toEqual([Infinity, 9007199254740992, 1]);
  });

  it('retain their digits, regardless of their value', () => {
    const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,25})(\.\d{1,25})?([eE][+-]?\d{1,3})?$/);
    fc.assert(
      fc.property(digits, (source) => {
        const value = parseExactJson(`{"n":${source}}`) as { n: unknown };
        expect(JSON.stringify(value)).toBe(`{"n":${source}}`);
        if (typeof value.n !== 'object') return;
        const read = readExactNumber(value.n as never);
        expect(Number(read) === Number(source)).toBe(true);
      }),
    );
  });

  it('take time proportional to their length', () => {
    for (const source of [`1${'0'.repeat(500_000)}1`, `1.${'0'.repeat(500_000)}1`, '9'.repeat(500_000)]) {
      // The test measures CPU time, since the machine may have other load.
      const before = process.threadCpuUsage();
      expect(toReadableJson(parseExactJson(`[${source}]`))).toEqual([source]);
      expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(2_000);
    }
  });

  it('are unchanged in strings, as is all other JSON', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(toPlainJson(parseExactJson(text))).toEqual(JSON.parse(text));
      }),
    );
    expect(parseExactJson('{"a":"1.0 and 1917043659912705297","a":"12345678901234567890"}')).toEqual({
      a: '12345678901234567890',
    });
  });
});
