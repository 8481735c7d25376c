import { boundTokens, estimateTokens } from './estimate-tokens.ts';
import { costOf } from './price.ts';

export interface EmbeddableText {
  readonly chunkId: string;
  readonly text: string;
}

export interface BatchLimits {
  readonly maxTexts: number;
  /** Maximum number of tokens in a call; some providers limit this number. */
  readonly maxTokens: number;
  readonly tokensPerByte: number | undefined;
  readonly pricePerMtok: number;
  /** Maximum cost of a call in US dollars: the part of the daily cap for the corpus, or what is left of this part. */
  readonly capUsd: number;
}

export interface FittedBatch {
  readonly texts: readonly EmbeddableText[];
  readonly bytes: number;
  readonly tokens: number;
  /** Estimated cost in US dollars. */
  readonly costUsd: number;
  /** Maximum cost in US dollars, as far as it can be determined. */
  readonly mostUsd: number;
}

/**
 * Groups texts, in order, into calls that fit the limits, and computes the reservation for each. The first text of a
 * call is always included: whether it is too large is known only after it is sent.
 */
export function fitBatches(texts: readonly EmbeddableText[], limits: BatchLimits): FittedBatch[] {
  const batches: FittedBatch[] = [];
  for (let rest = texts; rest.length > 0;) {
    const batch = fitFirst(rest, limits);
    batches.push(batch);
    rest = rest.slice(batch.texts.length);
  }
  return batches;
}

function fitFirst(texts: readonly EmbeddableText[], limits: BatchLimits): FittedBatch {
  const { maxTexts, maxTokens, tokensPerByte, pricePerMtok, capUsd } = limits;
  let tokens = 0;
  let most = 0;
  let bytes = 0;
  let count = 0;
  for (const { text } of texts.slice(0, maxTexts)) {
    const total = tokens + estimateTokens(text, tokensPerByte);
    if (count > 0 && (total > maxTokens || costOf(total, pricePerMtok) > capUsd)) break;
    tokens = total;
    most += boundTokens(text);
    bytes += Buffer.byteLength(text);
    count += 1;
  }
  const [costUsd, mostUsd] = [costOf(tokens, pricePerMtok), costOf(Math.max(tokens, most), pricePerMtok)];
  return { texts: texts.slice(0, count), bytes, tokens, costUsd, mostUsd };
}
