import type { Metrics } from '@steward/process';
import type { ConsumerLag } from './nats/nats-types.ts';

export type HandledOutcome = 'ok' | 'retried' | 'dead_lettered' | 'abandoned';

/** Outcome label of hints that were dropped without being read (`dropBeyond`). */
const DROPPED = 'dropped';

/** The broker's metrics. Labels are message names, outcomes and results, so there are only a few series per process. */
export interface BrokerMetrics {
  countHandled(message: string, outcome: HandledOutcome): void;
  countDropped(message: string, count: number): void;
  countPublished(message: string, duplicate: boolean): void;
  countPublishFailed(message: string): void;
  /** Exposes the lag of a consumer, which is read whenever the metrics are requested. */
  watchLag(message: string, read: () => Promise<ConsumerLag>): void;
}

/**
 * Creates the metrics of the broker.
 * @param published - messages that the process publishes: their failure counters start with 0 before the first failure,
 *   so that an alert includes this failure
 */
export function createBrokerMetrics(metrics: Metrics, published: readonly string[] = []): BrokerMetrics {
  const handled = metrics.counter('steward_messages_handled_total', 'Messages handled, by outcome.', [
    'message',
    'outcome',
  ]);
  const stored = metrics.counter('steward_messages_published_total', 'Messages accepted by the broker, by result.', [
    'message',
    'result',
  ]);
  const failed = metrics.counter('steward_message_publish_failures_total', 'Messages refused by the broker.', [
    'message',
  ]);
  for (const message of published) failed.inc({ message }, 0);
  const waiting = metrics.gauge('steward_messages_waiting', 'Messages that no process has received yet.', ['message']);
  const unacknowledged = metrics.gauge(
    'steward_messages_unacknowledged',
    'Messages that a process has received but not acknowledged yet, over all processes.',
    ['message'],
  );
  return {
    countHandled: (message, outcome) => handled.inc({ message, outcome }),
    countDropped: (message, count) => handled.inc({ message, outcome: DROPPED }, count),
    countPublished: (message, duplicate) => stored.inc({ message, result: duplicate ? 'duplicate' : 'stored' }),
    countPublishFailed: (message) => failed.inc({ message }),
    watchLag(message, read) {
      handled.inc({ message, outcome: 'dead_lettered' }, 0);
      metrics.sample(async () => {
        try {
          const lag = await read();
          waiting.set({ message }, lag.waiting);
          unacknowledged.set({ message }, lag.unacknowledged);
        } catch {
          // The metrics have no value while the broker is unavailable, since an old value would look like a current
          // one.
          waiting.remove({ message });
          unacknowledged.remove({ message });
        }
      });
    },
  };
}
