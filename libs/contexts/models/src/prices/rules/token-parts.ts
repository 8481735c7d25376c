import type { Rate, Rates, TokenCounts } from '../price.ts';

/** The largest number of tokens whose cost still fits into the cost column at the highest price. */
const MOST_TOKENS = 1_000_000_000;

/** Splits the tokens of generated images into parts, each with one rate. */
export function splitDrawing(
  { drawing: rates }: Rates,
  { drawing }: TokenCounts,
): readonly (readonly [Rate, number])[] {
  if (rates === undefined || drawing === undefined) return [];
  const input = new Pool(drawing.inputTokens);
  const image = input.take(drawing.inputImageTokens);
  return [
    [rates.input, input.rest()],
    [rates.inputImage, image],
    [rates.output, cleanCount(drawing.outputTokens)],
  ];
}

/**
 * Splits input tokens according to their price: every token is in exactly one part, even if the provider's counts are
 * inconsistent.
 */
export function splitInput(rates: Rates, counts: TokenCounts): readonly (readonly [Rate, number])[] {
  const all = new Pool(counts.inputTokens);
  const cached = new Pool(all.take(counts.cachedInputTokens));
  const written = new Pool(all.take(counts.cacheWriteTokens));
  const cachedAudio = cached.take(counts.cachedInputAudioTokens);
  const cachedImage = cached.take(counts.cachedInputImageTokens);
  const writtenLong = written.take(counts.longCacheWriteTokens);
  // The counts of audio and image tokens include the cached ones.
  const audio = all.take(cleanCount(counts.inputAudioTokens) - cachedAudio);
  const image = all.take(cleanCount(counts.inputImageTokens) - cachedImage);
  return [
    [rates.input, all.rest()],
    [rates.cachedInput, cached.rest()],
    [rates.cacheWrite, written.rest()],
    [rates.longCacheWrite, writtenLong],
    [rates.inputAudio ?? rates.input, audio],
    [rates.inputImage ?? rates.input, image],
    [rates.cachedInputAudio ?? rates.cachedInput, cachedAudio],
    [rates.cachedInputImage ?? rates.cachedInput, cachedImage],
  ];
}

/** Splits output tokens according to their price: every token is in exactly one part. */
export function splitOutput(rates: Rates, counts: TokenCounts): readonly (readonly [Rate, number])[] {
  const all = new Pool(counts.outputTokens);
  const audio = all.take(counts.outputAudioTokens);
  const image = all.take(counts.outputImageTokens);
  const reasoning = all.take(counts.reasoningTokens);
  return [
    [rates.output, all.rest()],
    [rates.outputAudio ?? rates.output, audio],
    [rates.outputImage ?? rates.output, image],
    [rates.reasoning ?? rates.output, reasoning],
  ];
}

/** A number of tokens from which parts are taken; a part never has more tokens than remain. */
class Pool {
  #left: number;

  constructor(count: number | undefined) {
    this.#left = cleanCount(count);
  }

  /** Takes this number of tokens, or all remaining tokens if there are fewer; returns the number taken. */
  take(wanted: number | undefined): number {
    const taken = Math.min(cleanCount(wanted), this.#left);
    this.#left -= taken;
    return taken;
  }

  rest(): number {
    return this.#left;
  }
}

/** Returns a valid count: a whole number from 0 to the largest plausible one. */
export function cleanCount(count: number | undefined): number {
  return count !== undefined && count > 0 ? Math.min(Math.trunc(count), MOST_TOKENS) : 0;
}
