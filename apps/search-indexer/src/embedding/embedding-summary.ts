import type { Logger } from '@steward/process';

/** Counts embeddings between two log lines. */
export interface EmbeddingSummary {
  count(batch: { readonly chunks: number; readonly tokens: number; readonly spentUsd: number }): void;
  countFailure(): void;
  /** Writes `embeddings.summarized` if anything was counted. */
  write(): void;
  readActivity(): Readonly<Record<string, number>>;
}

interface Counts {
  calls: number;
  failed_calls: number;
  chunks: number;
  tokens: number;
  spent_usd: number;
}

const NOTHING: Readonly<Counts> = { calls: 0, failed_calls: 0, chunks: 0, tokens: 0, spent_usd: 0 };
/** Number of decimal places to which sums are rounded; the stored amounts have the same number. */
const DECIMALS = 10;

/**
 * Creates the summary, which writes one line for many batches: one line per batch could fill a disk while a backlog is
 * processed.
 */
export function createEmbeddingSummary(logger: Logger): EmbeddingSummary {
  const total = { ...NOTHING };
  let written: Readonly<Counts> = NOTHING;
  return {
    count({ chunks, tokens, spentUsd }) {
      total.calls += 1;
      total.chunks += chunks;
      total.tokens += tokens;
      total.spent_usd += spentUsd;
    },
    countFailure() {
      total.calls += 1;
      total.failed_calls += 1;
    },
    write() {
      if (total.calls === written.calls) return;
      const fields = Object.entries(total).map(([name, value]) => {
        const since = value - written[name as keyof Counts];
        return [name, name === 'spent_usd' ? Number(since.toFixed(DECIMALS)) : since];
      });
      written = { ...total };
      logger.info('embeddings.summarized', Object.fromEntries(fields) as Record<string, number>);
    },
    readActivity: () => ({ ...total, spent_usd: Number(total.spent_usd.toFixed(DECIMALS)) }),
  };
}
