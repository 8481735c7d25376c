import fc from 'fast-check';
import { findJsonExcess, JsonMeter } from './json-meter.ts';

const LIMITS = { maxValues: 100, maxDepth: 10 };
const bytes = (text: string): Buffer => Buffer.from(text);

/** Returns the number of members and entries at all levels of a parsed value, and its depth. */
function measure(value: unknown): { readonly values: number; readonly depth: number } {
  if (typeof value !== 'object' || value === null) return { values: 0, depth: 0 };
  const parts = Object.values(value).map(measure);
  const inner = parts.reduce((sum, { values }) => sum + values, 0);
  return { values: parts.length + inner, depth: 1 + Math.max(0, ...parts.map(({ depth }) => depth)) };
}

describe('the JSON limit meter', () => {
  it.each([
    ['a row', JSON.stringify(Array.from({ length: 100 }, (_, index) => index)), undefined],
    ['a row that is too long', JSON.stringify(Array.from({ length: 101 }, (_, index) => index)), 'values'],
    ['empty lists', `[${'[],'.repeat(99)}[]]`, 'values'],
    ['members', JSON.stringify(Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`k${i}`, i]))), 'values'],
    ['ten levels', '['.repeat(10) + ']'.repeat(10), undefined],
    ['eleven levels', '{"a":'.repeat(11), 'depth'],
    ['signs within strings', JSON.stringify({ text: '[{,"'.repeat(1000) }), undefined],
    ['a string that a raw line feed ends', `["\n${'[],'.repeat(99)}[]]`, 'values'],
    ['no JSON', '}]}]}'.repeat(1000), undefined],
  ])('measures %s', (_what, text, expected) => {
    expect(findJsonExcess(bytes(text), LIMITS)).toBe(expected);
  });

  it('never accepts a text above the limits, however it is split into chunks', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), fc.nat({ max: 40 }), fc.nat({ max: 6 }), (text, maxValues, maxDepth) => {
        const { values, depth } = measure(JSON.parse(text));
        const meter = new JsonMeter({ maxValues, maxDepth });
        let excess: string | undefined;
        for (const byte of bytes(text)) excess ??= meter.add(Uint8Array.of(byte));
        if (values > maxValues || depth > maxDepth) expect(excess).toBeDefined();
        // An empty list counts as one entry.
        if (values * 2 + 1 <= maxValues && depth <= maxDepth) expect(excess).toBeUndefined();
        expect(excess).toBe(findJsonExcess(bytes(text), { maxValues, maxDepth }));
      }),
    );
  });

  it.each(['\n', '\r', '\r\n'])(
    'counts events of a stream with line endings %j, and measures depth separately for each',
    (end) => {
      const event = `data: [[[[[${end}data: ]]${end}${end}`;
      const add = (count: number) =>
        new JsonMeter({ ...LIMITS, maxValues: 1000, maxEvents: 20 }).add(bytes(event.repeat(count)));
      expect([add(20), add(21)]).toEqual([undefined, 'events']);
      const nested = `data: ${`[${end}data: `.repeat(11)}`;
      expect(new JsonMeter({ ...LIMITS, maxEvents: 20 }).add(bytes(nested))).toBe('depth');
    },
  );
});
