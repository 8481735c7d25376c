import type { Metrics } from '@steward/process';

/** Reason why a read was done on the primary. */
export type PrimaryReason = 'behind' | 'away' | 'failed' | 'no_position';

export interface ReplicaMetrics {
  count(answeredBy: 'replica' | 'primary', reason: '' | PrimaryReason): void;
  /** Reads the lag whenever the metrics are requested. */
  sampleLag(read: () => Promise<{ readonly bytes: number; readonly seconds: number } | undefined>): void;
}

/**
 * Creates the metrics of a replica; a process without a replica also has these metrics, but counts no reads and shows
 * no lag.
 */
export function createReplicaMetrics(metrics: Metrics): ReplicaMetrics {
  const reads = metrics.counter(
    'steward_replica_reads_total',
    'Reads that a replica may serve, by the server that served them and by the reason why it was the primary: the position was unknown, or the replica was behind, unavailable or failed.',
    ['answered_by', 'reason'],
  );
  const bytes = metrics.gauge(
    'steward_replica_lag_bytes',
    'Bytes of the write-ahead log of the primary that the replica has not replayed.',
  );
  const seconds = metrics.gauge(
    'steward_replica_lag_seconds',
    'Age of the newest transaction that the replica has replayed; 0 if it has replayed all transactions.',
  );
  return {
    count: (answeredBy, reason) => reads.inc({ answered_by: answeredBy, reason }),
    sampleLag: (read) =>
      metrics.sample(async () => {
        const lag = await read();
        if (lag === undefined) return;
        bytes.set(lag.bytes);
        seconds.set(lag.seconds);
      }),
  };
}
