import { Readable } from 'node:stream';
import fc from 'fast-check';
import { judgeAnswer } from './judge-answer.ts';

const HEADERS = { 'content-type': 'application/json' };

function judgeWhole(text: string) {
  const whole = Buffer.from(text);
  return judgeAnswer({ statusCode: 200, headers: HEADERS, body: Readable.from([]), whole });
}

function judgeArriving(pieces: readonly string[]) {
  const chunks = pieces.filter((piece) => piece !== '').map((piece) => Buffer.from(piece));
  return judgeAnswer({ statusCode: 200, headers: HEADERS, body: Readable.from(chunks, { objectMode: false }) });
}

const space = fc.oneof(
  fc.string({ unit: fc.constantFrom(' ', '\n', '\t'), maxLength: 5 }),
  fc.nat({ max: 1200 }).map((length) => ' '.repeat(length)),
);
const tokens = fc.constantFrom(
  ...['{', '"error"', ':', '{"type":', '"type"', '"overloaded_error"', '"invalid_request_error"', '"server_error"'],
  ...['"usage":{}', '"choices"', '"code"', '429', '}', '"', 'data:', 'event: error', 'x'],
);
const beginning = fc.constantFrom(
  '{"error":{"type":',
  '{"type":"error","error":{"type":',
  '{ "error" : "',
  '{"id":"x",',
  '',
);

describe('the verdict on a response (GW-8)', () => {
  it('is the same whether the response arrived as a whole or in pieces', async () => {
    await fc.assert(
      fc.asyncProperty(
        space,
        beginning,
        fc.array(fc.tuple(tokens, space), { maxLength: 8 }),
        async (before, begun, rest) => {
          const pieces = [before, begun, ...rest.flat()];
          const { verdict } = await judgeWhole(pieces.join(''));
          expect((await judgeArriving(pieces)).verdict).toBe(verdict);
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each([
    ['{"error":{"type":"overloaded_error"}}', 'again'],
    [`{${' '.repeat(50)}"error"${'\n'.repeat(100)}: {"type":"server_error"}}`, 'again'],
    ['{"error":{"message":"unknown"}}', 'elsewhere'],
    ['{"error":{"type":"invalid_request_error"}}', 'pass'],
    [`{"error":{"type":"server_error"},"x":"${'x'.repeat(20_000)}","usage": {}}`, 'pass'],
    ['{"error":null,"choices":[]}', 'pass'],
    ['{"choices":[],"error":{"type":"server_error"}}', 'pass'],
    ['', 'pass'],
  ])('on %s, complete: %s', async (text, verdict) => {
    expect((await judgeWhole(text)).verdict).toBe(verdict);
  });
});
