import { Readable } from 'node:stream';
import type { ProviderAnswer } from '../dial-models.ts';

export interface Beginning {
  readonly text: string;
  /** The answer as received; what was already read of it comes first. */
  readonly answer: ProviderAnswer;
  /** Nobody reads it any more. */
  readonly leave: () => Promise<void>;
}

/**
 * Reads an answer until somebody has seen enough of it, or so many bytes.
 *
 * @param isEnough - asked for all that has come so far
 * @throws when it breaks off
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
