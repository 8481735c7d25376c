import type { ProviderAnswer } from '../call-providers.ts';
import { isPlain } from './is-plain.ts';
import { readBeginning } from './read-beginning.ts';

export interface Refusal {
  /** Whether the error mentions the parameter that requests the usage. */
  readonly isAboutUsage: boolean;
  /** The received response, including the part already read. */
  readonly answer: ProviderAnswer;
}

const STATUSES: ReadonlySet<number> = new Set([400, 422]);
/** Number of bytes that are read: the beginning of an error response is enough to find its reason. */
const MAX_READ_BYTES = 16 * 1024;
const OPTION = /stream_options|include_usage/;

/**
 * Reads the beginning of a response with status 400 or 422; other responses, and encoded ones, are returned unread.
 * @throws if the response is aborted
 */
export async function readRefusal(answer: ProviderAnswer): Promise<Refusal> {
  if (!STATUSES.has(answer.statusCode) || !isPlain(answer)) return { isAboutUsage: false, answer };
  const beginning = await readBeginning(answer, MAX_READ_BYTES);
  const isAboutUsage = OPTION.test(beginning.text);
  if (isAboutUsage) beginning.answer.body.destroy();
  return { isAboutUsage, answer: beginning.answer };
}
