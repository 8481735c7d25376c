/**
 * Tokens per UTF-8 byte before a provider has counted any: no tokenizer produces more. Prose has about 0.25, code 0.3,
 * Chinese 0.35.
 */
const FIRST_RATIO = 1;
/** Tokens that a model adds around a text. */
export const FRAME_TOKENS = 16;
/** Part of the distance to a lower ratio by which one call moves the ratio. */
const FORGETTING = 0.05;

/**
 * Estimated tokens of a text.
 *
 * @param ratio tokens per byte, as returned by `learnRatio`
 */
export function estimateTokens(text: string, ratio = FIRST_RATIO): number {
  return Math.ceil(Number((Buffer.byteLength(text) * ratio).toPrecision(12)));
}

/**
 * Maximum tokens of a text, whatever was counted for other texts: no tokenizer produces more tokens than there are
 * bytes.
 */
export function boundTokens(text: string): number {
  return Buffer.byteLength(text) + FRAME_TOKENS;
}

/**
 * The ratio after a call: that of the densest recent calls. It rises immediately and falls slowly, since a reservation
 * that is too low lets parallel calls exceed the cap together.
 */
export function learnRatio(
  known: number | undefined,
  call: { readonly bytes: number; readonly tokens: number },
): number {
  if (call.bytes === 0) return known ?? FIRST_RATIO;
  const seen = call.tokens / call.bytes;
  return known === undefined || seen > known ? seen : known + (seen - known) * FORGETTING;
}
