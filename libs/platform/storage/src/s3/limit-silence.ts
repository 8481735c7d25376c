import { Readable } from 'node:stream';
import { limitTime } from '@steward/async';
import { StoreError } from '../object-store.ts';

/**
 * Returns the body as a stream that fails if no data arrives for `timeoutMs`. The time during which the reader is slow
 * is not counted.
 */
export function limitSilence(body: ReadableStream<Uint8Array>, timeoutMs: number): Readable {
  return Readable.from(readChunks(body, timeoutMs), { objectMode: false });
}

async function* readChunks(body: ReadableStream<Uint8Array>, timeoutMs: number): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await limitTime(
        reader.read(),
        timeoutMs,
        () => new StoreError('unreachable', `the object store sent nothing for ${timeoutMs} ms`),
      );
      if (done) return;
      yield value;
    }
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError('unreachable', 'the object store ended a transfer early', { cause: error });
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
