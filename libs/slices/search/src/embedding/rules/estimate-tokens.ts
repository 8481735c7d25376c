/**
 * Tokens per byte of UTF-8 before a provider has counted any: no tokenizer makes more. Prose has about 0.25, code 0.3,
 * Chinese 0.35.
 */
const FIRST_RATIO = 1;
/** Tokens that a model puts round a text. */
export const FRAME_TOKENS = 16;
/** How much of the way down to a lower ratio one call goes. */
const FORGETTING = 0.05;

/**
 * How many tokens a text may be counted as.
 *
 * @param ratio tokens per byte, as `learnRatio` gives it
 */
export function estimateTokens(text: string, ratio = FIRST_RATIO): number {
  return Math.ceil(Number((Buffer.byteLength(text) * ratio).toPrecision(12)));
}

/** The most a text is counted as, whatever was counted of others: no tokenizer makes more tokens than there are bytes. */
export function boundTokens(text: string): number {
  return Buffer.byteLength(text) + FRAME_TOKENS;
}

/**
 * The ratio after a call: that of the densest calls lately. Up at once and down slowly, since a reservation below what a call
 * takes lets parallel callers pass the cap together.
 */
export function learnRatio(
  known: number | undefined,
  call: { readonly bytes: number; readonly tokens: number },
): number {
  if (call.bytes === 0) return known ?? FIRST_RATIO;
  const seen = call.tokens / call.bytes;
  return known === undefined || seen > known ? seen : known + (seen - known) * FORGETTING;
}
