import { Readable } from 'node:stream';
import type { ProviderAnswer } from '../call-providers.ts';
import { joinChunks } from '../join-chunks.ts';

export interface Beginning {
  readonly text: string;
  /** The response as received; the part that was already read comes first. */
  readonly answer: ProviderAnswer;
}

/**
 * Reads a response until the check is satisfied, or a maximum number of bytes has been read. The part that was read is
 * put back into the stream; if the response has ended, a new stream with this part is returned.
 * @param isEnough - called with everything received so far
 * @throws if the response is aborted
 */
export async function readBeginning(
  answer: ProviderAnswer,
  maxBytes: number,
  isEnough: (text: string) => boolean = () => false,
): Promise<Beginning> {
  const { body, whole } = answer;
  if (whole !== undefined) {
    const all = whole.toString('latin1');
    isEnough(all);
    return { text: all, answer };
  }
  const chunks: Buffer[] = [];
  let text = '';
  // The response may be aborted while nothing reads it; its next reader gets the error.
  body.on('error', () => undefined);
  while (text.length < maxBytes && !isEnough(text)) {
    const chunk = body.read() as Buffer | null;
    if (chunk === null) {
      if (await hasMore(body)) continue;
      return { text, answer: { ...answer, body: Readable.from(chunks, { objectMode: false }) } };
    }
    chunks.push(chunk);
    text += chunk.toString('latin1');
  }
  if (chunks.length > 0) body.unshift(joinChunks(chunks));
  return { text, answer };
}

/** Resolves to true when there is something to read, and to false at the end. @throws if the response is aborted */
function hasMore(body: Readable): Promise<boolean> {
  if (body.readableEnded) return Promise.resolve(false);
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      body.off('readable', onReadable).off('end', onEnd).off('close', onClose);
    };
    const onReadable = (): void => {
      settle();
      resolve(true);
    };
    const onEnd = (): void => {
      settle();
      resolve(false);
    };
    const onClose = (): void => {
      settle();
      if (body.readableEnded) resolve(false);
      else reject(body.errored ?? new Error('the response was incomplete'));
    };
    if (body.destroyed) return onClose();
    body.on('readable', onReadable).on('end', onEnd).on('close', onClose);
  });
}
