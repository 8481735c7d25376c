import type { ProviderAnswer } from '../dial-models.ts';
import { isPlain } from './is-plain.ts';
import { readBeginning } from './read-beginning.ts';

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
  const beginning = await readBeginning(answer, MAX_READ_BYTES);
  const isAboutUsage = OPTION.test(beginning.text);
  if (isAboutUsage) await beginning.leave();
  return { isAboutUsage, answer: beginning.answer };
}
