import { Readable } from 'node:stream';
import type { ProviderAnswer } from '../call-providers.ts';
import { isPlain } from './is-plain.ts';
import { isEventStream } from './is-event-stream.ts';

/** A longer response is passed on as it arrives. */
const MAX_WHOLE_BYTES = 64 * 1024;

/**
 * Receives a short successful response as a whole, so that it is sent with its head in one write. Streams, refusals,
 * encoded responses and responses without a declared length are returned unread. If a response is aborted, the part
 * that has arrived is passed on before the error.
 */
export function readWhole(answer: ProviderAnswer): Promise<ProviderAnswer> | ProviderAnswer {
  const { statusCode, headers, body } = answer;
  const declared = Number(headers['content-length'] ?? Number.NaN);
  if (statusCode !== 200 || !(declared <= MAX_WHOLE_BYTES) || isEventStream(answer) || !isPlain(answer)) return answer;
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const stop = (error?: Error): void => {
      if (body.readableEnded) return;
      resolve({ ...answer, body: endEarly(chunks, error ?? new Error('the response was incomplete')) });
    };
    body
      .on('data', (chunk: Buffer) => void chunks.push(chunk))
      .on('end', () => resolve({ ...answer, whole: joinChunks(chunks) }))
      .on('error', stop)
      .on('close', stop);
  });
}

function joinChunks(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
}

/** Returns a stream that fails after these chunks, when its reader requests more. */
function endEarly(chunks: Buffer[], error: Error): Readable {
  return new Readable({
    highWaterMark: 0,
    read() {
      const chunk = chunks.shift();
      if (chunk === undefined) this.destroy(error);
      else this.push(chunk);
    },
  });
}
