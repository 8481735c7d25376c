import type { Metrics } from '@steward/process';

export type CallResult = 'embedded' | 'discarded' | 'rate_limited' | 'refused' | 'misconfigured' | 'unavailable';

/** Operator metrics of embedding. Labels are outcomes and reasons, never accounts or models. */
export interface EmbeddingMetrics {
  observeCall(result: CallResult, seconds: number): void;
  countEmbedded(chunks: number, tokens: number, usd: number): void;
  countSetAside(chunks: number): void;
  countStop(reason: string): void;
  setRunning(calls: number): void;
  setLag(seconds: number): void;
}

const CALL_BUCKETS_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export function createEmbeddingMetrics(metrics: Metrics): EmbeddingMetrics {
  const calls = metrics.histogram(
    'steward_embedding_call_duration_seconds',
    'Duration of calls to embedding providers, by outcome.',
    ['result'],
    CALL_BUCKETS_SECONDS,
  );
  const embedded = metrics.counter('steward_embedding_chunks_total', 'Embedded chunks.');
  const tokens = metrics.counter('steward_embedding_tokens_total', 'Tokens counted by providers.');
  const spent = metrics.counter('steward_embedding_spent_usd_total', 'US dollars spent on embedding chunks.');
  const setAside = metrics.counter(
    'steward_embedding_chunks_set_aside_total',
    'Chunks permanently refused by their provider.',
  );
  const stops = metrics.counter('steward_embedding_stops_total', 'Accounts whose embedding is paused, by reason.', [
    'reason',
  ]);
  const running = metrics.gauge('steward_embedding_calls_running', 'Concurrent calls of this process.');
  const lag = metrics.gauge(
    'steward_embedding_oldest_due_seconds',
    'Waiting time of the account that has waited longest for its next call.',
  );
  return {
    observeCall: (result, seconds) => calls.observe({ result }, seconds),
    countEmbedded(chunks, counted, usd) {
      embedded.inc(chunks);
      tokens.inc(counted);
      spent.inc(usd);
    },
    countSetAside: (chunks) => setAside.inc(chunks),
    countStop: (reason) => stops.inc({ reason }),
    setRunning: (count) => running.set(count),
    setLag: (seconds) => lag.set(seconds),
  };
}
