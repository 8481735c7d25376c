/**
 * Assumed number of tokens per UTF-8 byte until a provider has reported a count: no tokenizer produces more. Prose has
 * about 0.25 tokens per byte, code 0.3, Chinese text 0.35.
 */
const FIRST_RATIO = 1;
/** Number of tokens that a model adds to a text. */
export const FRAME_TOKENS = 16;
/** If a call has a lower ratio than the known one, the known ratio is reduced by this share of the difference. */
const FORGETTING = 0.05;

/**
 * Returns the estimated number of tokens in a text.
 *
 * @param ratio - tokens per byte, as returned by `learnRatio`
 */
export function estimateTokens(text: string, ratio = FIRST_RATIO): number {
  return Math.ceil(Number((Buffer.byteLength(text) * ratio).toPrecision(12)));
}

/**
 * Returns the maximum number of tokens in a text, independent of counts for other texts: no tokenizer produces more
 * tokens than there are bytes.
 */
export function boundTokens(text: string): number {
  return Buffer.byteLength(text) + FRAME_TOKENS;
}

/**
 * Returns the ratio after a call, which is close to the highest ratio of recent calls. The ratio rises immediately and
 * falls slowly, since reservations that are too low would let parallel calls exceed the cap.
 */
export function learnRatio(
  known: number | undefined,
  call: { readonly bytes: number; readonly tokens: number },
): number {
  if (call.bytes === 0) return known ?? FIRST_RATIO;
  const seen = call.tokens / call.bytes;
  return known === undefined || seen > known ? seen : known + (seen - known) * FORGETTING;
}
