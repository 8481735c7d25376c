import { createMetrics, joinMetrics } from '../health/metrics.ts';
import { createGroupProbes, type AskAll } from './group-probes.ts';

/** Returns a group whose processes send these responses. */
const answering = (answers: readonly unknown[]): AskAll => {
  return <T>() => answers.map((answer) => Promise.resolve(answer as T | undefined));
};
const health = (status: string) => ({ status: status === 'unhealthy' ? 503 : 200, body: { status, checks: {} } });

describe('a probe of a group of processes (PROC-19)', () => {
  it.each([
    [['healthy', 'degraded'], 200, 'degraded'],
    [['degraded', 'unhealthy', 'healthy'], 503, 'unhealthy'],
    [['healthy', 'healthy'], 200, 'healthy'],
    [[], 503, 'unhealthy'],
  ])('reports the worst health of %j', async (states, status, worst) => {
    const probes = createGroupProbes(answering(states.map(health)), () => false);
    expect(await probes.health()).toMatchObject({ status, body: { status: worst } });
  });

  it.each([
    [[503, 200], false, 200, 'ready'],
    [[503, 503], false, 503, 'not_ready'],
    [[], false, 503, 'not_ready'],
    [[200, 200], true, 503, 'draining'],
  ])(
    'reports the best readiness of %j, or draining if the group is stopping (%s): %i',
    async (statuses, drains, status, state) => {
      const answers = statuses.map((one) => ({ status: one, body: { status: one === 200 ? 'ready' : 'not_ready' } }));
      expect(await createGroupProbes(answering(answers), () => drains).ready()).toMatchObject({
        status,
        body: { status: state },
      });
    },
  );
});

it('a readiness probe does not wait for a blocked process (PROC-19)', async () => {
  const ready = Promise.resolve({ status: 200, body: { status: 'ready' } });
  const ask: AskAll = <T>() => [new Promise<never>(() => undefined), ready as Promise<T>];
  expect(await createGroupProbes(ask, () => false).ready()).toMatchObject({ status: 200 });
});

describe('the metrics of a process group', () => {
  it('are those of each process, distinguished by a label, with one help line', async () => {
    const lists = ['1', '2'].map((number) => {
      const metrics = createMetrics('test', number);
      metrics.counter('steward_calls_total', 'Calls.').inc(Number(number));
      return metrics.list();
    });
    const lines = (await joinMetrics(await Promise.all(lists))).split('\n');
    expect(lines.filter((line) => line.startsWith('process_start_time_seconds{'))).toHaveLength(2);
    expect(lines.filter((line) => line.includes('steward_calls_total'))).toEqual([
      '# HELP steward_calls_total Calls.',
      '# TYPE steward_calls_total counter',
      'steward_calls_total{service="test",process="1"} 1',
      'steward_calls_total{service="test",process="2"} 2',
    ]);
  });
});
