import { Readable } from 'node:stream';
import type { ProviderAnswer } from '../dial-models.ts';
import { isPlain } from './is-plain.ts';

export interface Refusal {
  /** The provider does not know what it was asked for its usage with. */
  readonly isAboutUsage: boolean;
  /** As it came; what was read of it comes first. */
  readonly answer: ProviderAnswer;
}

const STATUSES: ReadonlySet<number> = new Set([400, 422]);
/** A refusal says what it is about at its beginning. */
const MAX_READ_BYTES = 16 * 1024;
const OPTION = /stream_options|include_usage/;

/** Reads the beginning of an answer that refuses a request; others are given back unread. @throws when it breaks off */
export async function readRefusal(answer: ProviderAnswer): Promise<Refusal> {
  if (!STATUSES.has(answer.statusCode) || !isPlain(answer)) return { isAboutUsage: false, answer };
  const chunks: Buffer[] = [];
  const rest = answer.body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  for (let size = 0; size < MAX_READ_BYTES;) {
    const { done, value } = await rest.next();
    if (done === true) break;
    chunks.push(value);
    size += value.byteLength;
  }
  if (OPTION.test(Buffer.concat(chunks).toString('latin1'))) {
    await rest.return?.();
    return { isAboutUsage: true, answer };
  }
  return { isAboutUsage: false, answer: { ...answer, body: Readable.from(join(chunks, rest), { objectMode: false }) } };
}

async function* join(chunks: readonly Buffer[], rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* chunks;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
