import { limitTime } from '@steward/async';
import { readWalkBacklog } from '@steward/backfill';
import type { Broker } from '@steward/broker';
import { APP_NAMES, MESSAGES, type AppName, type MessageName } from '@steward/contracts';
import { readServerFacts, transact, type AnyDatabase, type Replica, type ReplicaLag } from '@steward/database';
import { readBacklog } from '@steward/flows';
import type { Logger } from '@steward/process';
import { readEmbeddingBacklog } from '@steward/search';
import { countPendingFacts } from '@steward/stats';
import { readQueueGauges } from '@steward/webhooks';
import { sql } from 'kysely';

export interface HealthDeps {
  readonly db: AnyDatabase;
  readonly broker: Pick<Broker, 'readBacklog'>;
  readonly replica?: Replica | undefined;
  readonly logger: Logger;
}

export const QUEUE_NAMES = ['deliveries', 'executions', 'embedding', 'history', 'statistics'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

/** Figures of a queue; null if a figure does not exist or could not be read. */
export interface QueueHealth {
  readonly name: QueueName;
  /** The app that processes the queue. */
  readonly app: AppName;
  readonly waiting: number | null;
  readonly running: number | null;
  readonly oldestWaitingSeconds: number | null;
  /**
   * Maximum age of the oldest waiting item; the alerts of the deployment fire if the item is older. Null if there is no
   * limit.
   */
  readonly lateAfterSeconds: number | null;
}

export interface MessageHealth {
  readonly name: MessageName;
  readonly consumer: AppName;
  readonly waiting: number | null;
  readonly oldestWaitingSeconds: number | null;
}

export interface ServiceHealth {
  readonly checkedAt: Date;
  readonly queues: readonly QueueHealth[];
  readonly messages: readonly MessageHealth[];
  /**
   * Connections of each app to the database; an app without connections is not running, or cannot reach the database.
   */
  readonly processes: readonly { readonly app: AppName; readonly connections: number | null }[];
  readonly database:
    { readonly sizeBytes: number; readonly connections: number; readonly maxConnections: number } | undefined;
  /** Undefined without a replica, or while it does not respond. */
  readonly replica: ReplicaLag | undefined;
  readonly hasReplica: boolean;
}

/** Time limit for reading each figure: a figure that takes longer is missing, and the others are shown. */
const LIMIT_MS = 2000;
const MOST_COUNTED = 10_000;
const LATE_SECONDS = { deliveries: 60, executions: 300, embedding: 900 };
/** Time for which all requests to a process share the figures that were read. */
const FRESH_MS = 10_000;

type Figures = Pick<QueueHealth, 'waiting' | 'running' | 'oldestWaitingSeconds'>;
const UNKNOWN: Figures = { waiting: null, running: null, oldestWaitingSeconds: null };

interface Queue {
  readonly app: AppName;
  readonly lateAfterSeconds: number | null;
  readonly read: (db: AnyDatabase) => Promise<Figures>;
}

const QUEUES: Readonly<Record<QueueName, Queue>> = {
  deliveries: {
    app: 'webhook-dispatcher',
    lateAfterSeconds: LATE_SECONDS.deliveries,
    read: async (db) => {
      const { pending, oldestDueSeconds } = await readQueueGauges(db);
      return { waiting: pending, running: null, oldestWaitingSeconds: oldestDueSeconds };
    },
  },
  executions: {
    app: 'flow-trigger',
    lateAfterSeconds: LATE_SECONDS.executions,
    read: readBacklog,
  },
  embedding: {
    app: 'search-indexer',
    lateAfterSeconds: LATE_SECONDS.embedding,
    read: async (db) => {
      const { dueAccounts, oldestDueSeconds } = await readEmbeddingBacklog(db);
      return { waiting: dueAccounts, running: null, oldestWaitingSeconds: oldestDueSeconds };
    },
  },
  history: {
    app: 'backfill-sweeper',
    lateAfterSeconds: null,
    read: async (db) => {
      const { accounts, oldestSeconds } = await readWalkBacklog(db);
      return { waiting: accounts, running: null, oldestWaitingSeconds: oldestSeconds };
    },
  },
  statistics: {
    app: 'api-gateway',
    lateAfterSeconds: null,
    read: async (db) => ({ ...UNKNOWN, waiting: await countPendingFacts(db, MOST_COUNTED) }),
  },
};

/** Creates a function that reads the health of the service; requests within a few seconds share one result. */
export function createServiceHealth(deps: HealthDeps): () => Promise<ServiceHealth> {
  let latest: { readonly answer: Promise<ServiceHealth>; readonly atMs: number } | undefined;
  return () => {
    const now = performance.now();
    if (latest === undefined || now - latest.atMs > FRESH_MS) latest = { answer: readServiceHealth(deps), atMs: now };
    return latest.answer;
  };
}

async function readServiceHealth(deps: HealthDeps): Promise<ServiceHealth> {
  const { db, replica } = deps;
  const read = <T>(figure: string, work: () => Promise<T>) => readInTime(deps, figure, work);
  const ofDatabase = <T>(figure: string, work: (trx: AnyDatabase) => Promise<T>) =>
    read(figure, () => readBounded(db, work));
  const queues: QueueHealth[] = [];
  // The queues are read one after the other, so that they never use more than one connection.
  for (const name of QUEUE_NAMES) {
    const { app, lateAfterSeconds, read: readFigures } = QUEUES[name];
    queues.push({ name, app, lateAfterSeconds, ...((await ofDatabase(name, readFigures)) ?? UNKNOWN) });
  }
  const server = await ofDatabase('database', readServerFacts);
  const messages = await Promise.all(
    Object.values(MESSAGES).map(async ({ name, consumer }) => {
      const backlog = await read(name, () => deps.broker.readBacklog(name));
      const oldestAt = backlog?.oldestAt?.getTime();
      return {
        name,
        consumer: consumer.app,
        waiting: backlog?.messages ?? null,
        oldestWaitingSeconds:
          backlog === undefined ? null : oldestAt === undefined ? 0 : Math.max(0, Date.now() - oldestAt) / 1000,
      };
    }),
  );
  const connections = server?.connectionsByApplication;
  return {
    checkedAt: new Date(),
    queues,
    messages,
    processes: APP_NAMES.map((app) => ({
      app,
      connections: connections === undefined ? null : countConnections(connections, `steward-${app}`),
    })),
    database: server,
    replica: replica === undefined ? undefined : await read('replica', () => replica.readLag()),
    hasReplica: replica !== undefined,
  };
}

/**
 * Counts the connections of an app. The names of its additional pools begin with its own name:
 * `steward-api-gateway-search`.
 */
function countConnections(connections: Readonly<Record<string, number>>, app: string): number {
  return Object.entries(connections).reduce(
    (sum, [name, count]) => (name === app || name.startsWith(`${app}-`) ? sum + count : sum),
    0,
  );
}

const readBounded = <T>(db: AnyDatabase, work: (trx: AnyDatabase) => Promise<T>): Promise<T> =>
  transact({ db }, async (trx) => {
    await sql.raw(`set local statement_timeout = ${LIMIT_MS}`).execute(trx);
    return work(trx);
  });

/** Returns undefined if the read fails or takes too long. */
async function readInTime<T>({ logger }: HealthDeps, figure: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await limitTime(work(), LIMIT_MS, () => new Error(`no response within ${LIMIT_MS} ms`));
  } catch (error) {
    logger.warn('health.figure_missing', { figure, error });
    return undefined;
  }
}
