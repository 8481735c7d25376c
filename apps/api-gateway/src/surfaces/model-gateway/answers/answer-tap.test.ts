import { Readable, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { passStream } from '@steward/http';
import { AnswerTap } from './answer-tap.ts';

const CHUNK = Buffer.alloc(64 * 1024, 'x');
const TURN_BYTES = 256 * 1024;

function* sendForever(): Generator<Buffer> {
  for (;;) yield CHUNK;
}

describe('streamed responses', () => {
  it.each([1, 5, 40])('are read at 256 KiB per event loop tick, for %d endless streams (LIM-89)', async (count) => {
    let seen = 0;
    const streams = Array.from({ length: count }, () => {
      const source = Readable.from(sendForever(), { objectMode: false });
      const tap = new AnswerTap({
        onChunk: (chunk) => void (seen += chunk.byteLength),
        filter: undefined,
        hider: undefined,
        beforeEnd: () => undefined,
        onEnd: () => undefined,
      });
      const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
      passStream(source, sink, () => undefined, tap);
      return [source, sink];
    });
    const turns: number[] = [];
    for (let turn = 0; turn < 100; turn += 1) {
      const before = seen;
      await nextTurn();
      turns.push(seen - before);
    }
    for (const stream of streams.flat()) stream.destroy();
    expect(Math.max(...turns)).toBeLessThanOrEqual(TURN_BYTES + CHUNK.byteLength);
    expect(seen).toBeGreaterThan(count * CHUNK.byteLength);
  });
});
