import { createMetrics } from './metrics.ts';

describe('metrics', () => {
  it('are rendered with the service, their labels and the process itself', async () => {
    const metrics = createMetrics('search-indexer');
    metrics.counter('steward_chunks_total', 'Chunks.', ['outcome']).inc({ outcome: 'ok' }, 3);
    metrics.gauge('steward_backlog', 'Backlog.').set(7);
    metrics.histogram('steward_wait_seconds', 'Wait.', ['kind'], [0.1, 1]).observe({ kind: 'a' }, 0.5);
    const text = await metrics.render();
    expect(text).toContain('steward_chunks_total{outcome="ok",service="search-indexer"} 3');
    expect(text).toContain('steward_backlog{service="search-indexer"} 7');
    expect(text).toContain('steward_wait_seconds_bucket{le="1",service="search-indexer",kind="a"} 1');
    expect(text).toContain('process_cpu_seconds_total');
  });

  it('are sampled on request, and retain the last value if a source fails', async () => {
    const metrics = createMetrics('a');
    const gauge = metrics.gauge('steward_backlog', 'Backlog.');
    let rows = 1;
    metrics.sample(() => {
      if (rows > 2) throw new Error('away');
      gauge.set(rows);
    });
    metrics.sample(() => Promise.reject(new Error('away')));
    expect(await metrics.render()).toContain('steward_backlog{service="a"} 1');
    rows = 2;
    expect(await metrics.render()).toContain('steward_backlog{service="a"} 2');
    rows = 3;
    expect(await metrics.render()).toContain('steward_backlog{service="a"} 2');
  });

  it('are separate for two processes in one test', async () => {
    createMetrics('a').counter('steward_x_total', 'X.').inc();
    const other = createMetrics('b');
    other.counter('steward_x_total', 'X.');
    expect(await other.render()).toContain('steward_x_total{service="b"} 0');
  });
});
