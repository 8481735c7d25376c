import { Readable } from 'node:stream';
import type { ProviderAnswer } from '../call-providers.ts';
import { joinChunks } from '../join-chunks.ts';
import { isPlain } from './is-plain.ts';
import { isEventStream } from './is-event-stream.ts';

/** Maximum length of a response that is received as a whole; a longer one is passed on as it arrives. */
const MAX_WHOLE_BYTES = 64 * 1024;
/**
 * A response that takes longer is passed on as it arrives. The time is short, because the request keeps its permit of
 * the body limiter while the response is received.
 */
const MAX_WAIT_MS = 1000;

/**
 * Receives a short successful response as a whole, so that it is sent with its head in one write. Streams, long
 * responses, errors, encoded responses and responses without a declared length are returned unread. A slow response is
 * returned together with the part that has arrived. If a response is aborted, the part that has arrived is passed on
 * before the error.
 */
export function readWhole(answer: ProviderAnswer, maxWaitMs = MAX_WAIT_MS): Promise<ProviderAnswer> | ProviderAnswer {
  const { statusCode, headers, body } = answer;
  const declared = Number(headers['content-length'] ?? Number.NaN);
  if (statusCode !== 200 || !(declared <= MAX_WHOLE_BYTES) || isEventStream(answer) || !isPlain(answer)) return answer;
  const arrived = readArrived(body, declared);
  if (arrived !== undefined) return { ...answer, whole: arrived };
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const take = (chunk: Buffer): void => void chunks.push(chunk);
    const finish = (received: ProviderAnswer): void => {
      clearTimeout(timer);
      body.off('data', take).off('end', end).off('close', stop);
      resolve(received);
    };
    const end = (): void => finish({ ...answer, whole: joinChunks(chunks) });
    const stop = (error?: Error): void =>
      finish({ ...answer, body: endEarly(chunks, error ?? new Error('the response was incomplete')) });
    const timer = setTimeout(() => {
      body.pause();
      finish(answer);
      if (chunks.length > 0) body.unshift(joinChunks(chunks));
    }, maxWaitMs);
    // The second error listener is not removed: the response may be aborted before its next reader adds a listener.
    body
      .on('data', take)
      .on('end', end)
      .once('error', stop)
      .on('error', () => undefined)
      .on('close', stop);
  });
}

/**
 * Returns the body if all of it arrived together with the head, without waiting; undefined if a part of the body is
 * missing.
 */
function readArrived(body: Readable, declared: number): Buffer | undefined {
  if (declared === 0 || body.readableLength !== declared) return undefined;
  const bytes = body.read() as Buffer | null;
  body.on('error', () => undefined).resume();
  return bytes ?? undefined;
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
