import type { DeploymentHealth } from '../../api/answers.ts';
import { listAdvice } from './advice.ts';

const queue = { name: 'deliveries', app: 'webhook-dispatcher', waiting: 0, running: null } as const;
const WELL: DeploymentHealth = {
  checked_at: '2026-11-20T10:00:00Z',
  queues: [{ ...queue, oldest_waiting_seconds: 0, late_after_seconds: 60, is_late: false }],
  messages: [{ name: 'event-emitted', app: 'webhook-dispatcher', waiting: 0, oldest_waiting_seconds: 0 }],
  processes: [{ app: 'webhook-dispatcher', connections: 2 }],
  database: { size_bytes: 1, connections: 10, max_connections: 100 },
  replica: null,
};

describe('advice for operators', () => {
  it('is not given while the service is well', () => {
    expect(listAdvice(WELL)).toEqual([]);
    // Flow workers may be scaled to none.
    expect(listAdvice({ ...WELL, processes: [{ app: 'flow-trigger', connections: 0 }] })).toEqual([]);
  });

  it.each<[string, Partial<DeploymentHealth>, string, RegExp]>([
    [
      'a late queue',
      { queues: [{ ...queue, waiting: 9, oldest_waiting_seconds: 90, late_after_seconds: 60, is_late: true }] },
      'outbox-filling',
      /^Deliveries of event webhooks: the oldest item is late/,
    ],
    ['a missing app', { processes: [{ app: 'search-indexer', connections: 0 }] }, 'lost-worker', /^No search-indexer/],
    [
      'missing flow workers, while executions wait',
      {
        queues: [
          {
            ...{ ...queue, name: 'executions', app: 'flow-trigger', waiting: 1 },
            ...{ oldest_waiting_seconds: 1, late_after_seconds: 300, is_late: false },
          },
        ],
        processes: [{ app: 'flow-trigger', connections: 0 }],
      },
      'lost-worker',
      /^No flow-trigger/,
    ],
    [
      'a broker that is away',
      { messages: [{ name: 'chunk-written', app: 'search-indexer', waiting: null, oldest_waiting_seconds: null }] },
      'messages-wait',
      /^The broker does not respond/,
    ],
    ['a missing figure', { database: null }, 'slow-api', /^Some of the numbers/],
    [
      'used connections',
      { database: { size_bytes: 1, connections: 95, max_connections: 100 } },
      'slow-api',
      /^Almost all connections/,
    ],
    ['a late replica', { replica: { lag_bytes: 5, lag_seconds: 120 } }, 'replica-unused', /^The replica lags/],
    ['a replica that is away', { replica: { lag_bytes: null, lag_seconds: null } }, 'replica-unused', /^The replica/],
  ])('is given for %s', (_name, change, runbook, text) => {
    expect(listAdvice({ ...WELL, ...change })).toEqual([{ runbook, text: expect.stringMatching(text) }]);
  });
});
