import fc from 'fast-check';
import { createUsageChunkFilter } from './usage-chunk-filter.ts';

function pass(bytes: Buffer, places: readonly number[]): string {
  const filter = createUsageChunkFilter();
  const edges = [
    0,
    ...places.map((place) => place % (bytes.byteLength + 1)).toSorted((a, b) => a - b),
    bytes.byteLength,
  ];
  const pieces = edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
  return Buffer.concat([...pieces.flatMap((piece) => filter.pass(piece)), ...filter.flush()]).toString();
}

const USAGE = 'data: {"id":"x","choices":[],"usage":{"prompt_tokens":1}}\n\n';
const OTHERS = [
  'data: {"choices":[{"delta":{"content":"příliš \\"usage\\" 🐎"}}],"usage":null}\n\n',
  'data: {"choices":[{"delta":{}}],"usage":{"prompt_tokens":1}}\n\n',
  'data: {"choices":[],"prompt_filter_results":[]}\n\n',
  ': keep-alive\n\n',
  'event: x\nid: 7\ndata: {"choices":\ndata: [{}]}\n\n',
  `data: "${'usage '.repeat(20_000)}"\n\n`,
  'data: [DONE]\n\n',
  '\n',
];
const ENDS = ['\n', '\r', '\r\n'];
const anyStream = fc.array(fc.constantFrom(USAGE, ...OTHERS), { maxLength: 8 });

describe('the chunk that contains the usage', () => {
  it('is removed from a stream, wherever the stream is split, and every other byte is passed on', () => {
    fc.assert(
      fc.property(
        anyStream,
        fc.constantFrom(...ENDS),
        fc.array(fc.nat()),
        fc.constantFrom('', 'data: {"cut'),
        (all, end, places, rest) => {
          const write = (parts: readonly string[]): string => parts.join('').replaceAll('\n', end) + rest;
          expect(pass(Buffer.from(write(all)), places)).toBe(write(all.filter((one) => one !== USAGE)));
        },
      ),
    );
  });

  it('does not delay complete events, or events that are too large to be this chunk', () => {
    const filter = createUsageChunkFilter();
    const [first = '', second = ''] = OTHERS;
    expect(Buffer.concat(filter.pass(Buffer.from(first + second.slice(0, 9)))).toString()).toBe(first);
    const large = Buffer.from(second.slice(9) + 'data: ' + 'x'.repeat(100_000));
    expect(Buffer.concat(filter.pass(large)).byteLength).toBe(9 + large.byteLength);
  });
});
