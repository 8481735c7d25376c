import type { Metrics } from '@steward/process';

export type HandledOutcome = 'ok' | 'retried' | 'dead_lettered' | 'abandoned';

/** Outcome of hints that were dropped unread (`dropBeyond`). */
const DROPPED = 'dropped';

/** The broker's counters. Labels are message names and outcomes: a handful of series per process. */
export interface BrokerMetrics {
  countHandled(message: string, outcome: HandledOutcome): void;
  countDropped(message: string, count: number): void;
  countPublished(message: string, duplicate: boolean): void;
  countPublishFailed(message: string): void;
}

export function createBrokerMetrics(metrics: Metrics): BrokerMetrics {
  const handled = metrics.counter('steward_messages_handled_total', 'Messages handled, by outcome.', [
    'message',
    'outcome',
  ]);
  const published = metrics.counter('steward_messages_published_total', 'Messages accepted by the broker, by result.', [
    'message',
    'result',
  ]);
  const failed = metrics.counter('steward_message_publish_failures_total', 'Messages refused by the broker.', [
    'message',
  ]);
  return {
    countHandled: (message, outcome) => handled.inc({ message, outcome }),
    countDropped: (message, count) => handled.inc({ message, outcome: DROPPED }, count),
    countPublished: (message, duplicate) => published.inc({ message, result: duplicate ? 'duplicate' : 'stored' }),
    countPublishFailed: (message) => failed.inc({ message }),
  };
}
