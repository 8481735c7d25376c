import type { DeploymentHealth } from '../../api/answers.ts';
import type { RunbookName } from './runbooks.ts';

type Queue = DeploymentHealth['queues'][number];

export interface Advice {
  readonly text: string;
  readonly runbook: RunbookName;
}

interface QueueWords {
  readonly name: string;
  /** Kind of the counted items, in the singular and in the plural. */
  readonly counts: readonly [string, string];
  readonly advice: Advice;
}

export const QUEUES: Readonly<Record<Queue['name'], QueueWords>> = {
  deliveries: {
    name: 'Deliveries of event webhooks',
    counts: ['delivery', 'deliveries'],
    advice: {
      text: 'Check whether the webhook dispatcher is running; if it is, add another.',
      runbook: 'outbox-filling',
    },
  },
  executions: {
    name: 'Executions of flows',
    counts: ['execution', 'executions'],
    advice: {
      text: 'Check whether any flow workers are running; if all of them are busy, add another.',
      runbook: 'lost-worker',
    },
  },
  embedding: {
    name: 'Embedding for semantic search',
    counts: ['account', 'accounts'],
    advice: {
      text: 'Check that the search indexer is running and that the embedding provider responds.',
      runbook: 'slow-search',
    },
  },
  history: {
    name: 'Indexing of history',
    counts: ['account', 'accounts'],
    advice: { text: 'Indexing runs in the background and may take hours after an import.', runbook: 'lost-worker' },
  },
  statistics: {
    name: 'Aggregation for charts',
    counts: ['record', 'records'],
    advice: { text: 'Charts stay correct but become slow. Look for slow statements.', runbook: 'slow-api' },
  },
};

/** Share of used connections above which new processes may be unable to connect. */
const MOST_CONNECTIONS = 0.9;
/** Number of waiting messages above which the alert of the deployment fires. */
const MOST_MESSAGES = 5000;
const LATE_REPLICA_SECONDS = 60;

/** Lists the actions that an operator should take now; empty if there are none. */
export function listAdvice({ queues, messages, processes, database, replica }: DeploymentHealth): Advice[] {
  // Flow workers may be scaled to zero while there is nothing to run.
  const isWaiting = queues.some(({ app, waiting }) => app === 'flow-trigger' && (waiting ?? 0) > 0);
  const found: (Advice | undefined)[] = [
    ...queues.map(({ name, is_late: isLate }): Advice | undefined =>
      isLate
        ? { ...QUEUES[name].advice, text: `${QUEUES[name].name}: the oldest item is late. ${QUEUES[name].advice.text}` }
        : undefined,
    ),
    ...processes.map(({ app, connections }): Advice | undefined =>
      connections === 0 && (app !== 'flow-trigger' || isWaiting)
        ? { text: `No ${app} is connected to the database. Start it, or read its log.`, runbook: 'lost-worker' }
        : undefined,
    ),
    ...messages.map(({ name, app, waiting }): Advice | undefined =>
      (waiting ?? 0) > MOST_MESSAGES
        ? { text: `Many ${name} messages are waiting. Check that ${app} is running.`, runbook: 'messages-wait' }
        : undefined,
    ),
    messages.some(({ waiting }) => waiting === null)
      ? { text: 'The broker does not respond. Work continues, but with delays.', runbook: 'messages-wait' }
      : undefined,
    queues.some(({ waiting }) => waiting === null) || database === null
      ? { text: 'Some of the numbers below could not be read in time. The database may be slow.', runbook: 'slow-api' }
      : undefined,
    database !== null && database.connections > MOST_CONNECTIONS * database.max_connections
      ? { text: 'Almost all connections of the database server are used.', runbook: 'slow-api' }
      : undefined,
    replica !== null && (replica.lag_seconds ?? Infinity) > LATE_REPLICA_SECONDS
      ? { text: 'The replica lags or does not respond, so the primary serves all reads.', runbook: 'replica-unused' }
      : undefined,
  ];
  return found.filter((each) => each !== undefined);
}
