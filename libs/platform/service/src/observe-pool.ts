import type { Metrics } from '@steward/process';

interface PoolCounts {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** Exposes the use of the process's main pool of database connections as metrics. */
export function observePool(metrics: Metrics, pool: PoolCounts, size: number): void {
  const connections = metrics.gauge('steward_database_connections', 'Database connections of this process, by state.', [
    'state',
  ]);
  const most = metrics.gauge(
    'steward_database_connections_max',
    'Maximum number of database connections of this process.',
  );
  const waiting = metrics.gauge(
    'steward_database_connection_waiters',
    'Requests and tasks of this process that wait for a database connection.',
  );
  metrics.sample(() => {
    connections.set({ state: 'used' }, pool.totalCount - pool.idleCount);
    connections.set({ state: 'idle' }, pool.idleCount);
    most.set(size);
    waiting.set(pool.waitingCount);
  });
}
