import { Readable } from 'node:stream';
import type { ProviderAnswer } from '../call-providers.ts';

export interface Beginning {
  readonly text: string;
  /** The answer as received; what was already read of it comes first. */
  readonly answer: ProviderAnswer;
  /** Discards the response. */
  readonly leave: () => Promise<void>;
}

/**
 * Reads a response until the check is satisfied, or up to a number of bytes.
 *
 * @param isEnough - called with everything received so far
 * @throws if it breaks off
 */
export async function readBeginning(
  answer: ProviderAnswer,
  maxBytes: number,
  isEnough: (text: string) => boolean = () => false,
): Promise<Beginning> {
  const chunks: Buffer[] = [];
  const rest = answer.body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let text = '';
  while (text.length < maxBytes && !isEnough(text)) {
    const { done, value } = await rest.next();
    if (done === true) break;
    chunks.push(value);
    text += value.toString('latin1');
  }
  return {
    text,
    answer: { ...answer, body: Readable.from(join(chunks, rest), { objectMode: false }) },
    leave: async () => void (await rest.return?.()),
  };
}

async function* join(chunks: readonly Buffer[], rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* chunks;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
