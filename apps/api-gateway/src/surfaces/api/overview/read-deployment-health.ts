import { Type } from '@sinclair/typebox';
import { APP_NAMES, AppError, MESSAGES, type AppName, type MessageName } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import { defineRoute, nullable, type Route } from '@steward/http';
import type { GatewaySettings } from '../../../config.ts';
import { isOperatorAccount } from '../../../operator-accounts.ts';
import { createServiceHealth, QUEUE_NAMES, type HealthDeps, type QueueName } from './service-health.ts';

const App = Type.Unsafe<AppName>({ type: 'string', enum: [...APP_NAMES], description: 'Name of the app.' });
const Figure = (what: string) => nullable(Type.Integer({ minimum: 0 }), `${what}; null if unknown.`);
const Seconds = (what: string) => nullable(Type.Number({ minimum: 0 }), `${what}; null if unknown.`);

const HealthAnswer = Type.Object({
  checked_at: Type.String({ format: 'date-time', description: 'When these figures were read.' }),
  queues: Type.Array(
    Type.Object({
      name: Type.Unsafe<QueueName>({ type: 'string', enum: [...QUEUE_NAMES], description: 'Name of the queue.' }),
      app: App,
      waiting: Figure(
        'Number of waiting items; the queue determines their kind: deliveries, executions, accounts with content to embed, accounts with history to index, or records to aggregate (of these, at most 10,000 are counted)',
      ),
      running: Figure('Number of items in progress'),
      oldest_waiting_seconds: Seconds(
        'Seconds since the oldest item that can be processed at the moment became due; 0 if there is no such item',
      ),
      late_after_seconds: nullable(
        Type.Number({ minimum: 0 }),
        'Seconds after which the oldest item counts as late; null if the queue has no such limit.',
      ),
      is_late: Type.Boolean({ description: 'Whether the oldest item is late.' }),
    }),
    { description: 'Queues of work in the database, for all accounts.' },
  ),
  messages: Type.Array(
    Type.Object({
      name: Type.Unsafe<MessageName>({
        type: 'string',
        enum: Object.keys(MESSAGES),
        description: 'Name of the message.',
      }),
      app: App,
      waiting: Figure('Number of messages that are not handled yet'),
      oldest_waiting_seconds: Seconds(
        'Age of the oldest message that is not handled yet; 0 if there is no such message',
      ),
    }),
    {
      description:
        'Messages in the broker. The work itself is stored in the database; a message only makes it start sooner.',
    },
  ),
  processes: Type.Array(
    Type.Object({ app: App, connections: Figure('Number of connections of the app to the database') }),
    {
      description: 'Apps of the service; an app without connections is not running or cannot reach the database.',
    },
  ),
  database: nullable(
    Type.Object({
      size_bytes: Type.Number({ minimum: 0, description: 'Size of the database.' }),
      connections: Type.Integer({ minimum: 0, description: 'Number of connections to the server.' }),
      max_connections: Type.Integer({ minimum: 0, description: 'Maximum number of connections to the server.' }),
    }),
    'The primary database server; null if its figures are unknown.',
  ),
  replica: nullable(
    Type.Object({
      lag_bytes: Figure('Bytes of the write-ahead log that the replica has not replayed'),
      lag_seconds: Seconds(
        'Seconds since the last transaction that the replica has replayed; 0 if it has replayed everything',
      ),
    }),
    'The replica for reads; null if there is none.',
  ),
});

export interface DeploymentHealthDeps extends HealthDeps {
  readonly db: AnyDatabase;
  readonly settings: Pick<GatewaySettings, 'operatorAccounts'>;
}

/** GET /api/v1/deployment/health: figures of all accounts, only for users of the accounts that operate the service. */
export function createReadDeploymentHealthRoute(deps: DeploymentHealthDeps): Route {
  const readHealth = createServiceHealth(deps);
  return defineRoute({
    operationId: 'readDeploymentHealth',
    method: 'get',
    path: '/api/v1/deployment/health',
    permissions: ['manage_users'],
    summary: 'Read the state of the queues, processes and database of this deployment.',
    description:
      'Only users of the accounts in `OPERATOR_ACCOUNTS` may read the health of the deployment. If that setting is empty, users may read the health only if the deployment has a single account. Figures are at most 10 seconds old.',
    responses: {
      200: { description: 'The health of the deployment.', name: 'DeploymentHealth', schema: HealthAnswer },
    },
    handler: async ({ principal: { accountId } }) => {
      if (!(await isOperatorAccount(deps, accountId)))
        throw new AppError('permission_denied', {
          message: 'Only users of an account that operates this deployment may read its health (OPERATOR_ACCOUNTS).',
        });
      const { checkedAt, queues, messages, processes, database, replica, hasReplica } = await readHealth();
      return {
        status: 200,
        body: {
          checked_at: checkedAt,
          queues: queues.map(({ name, app, waiting, running, oldestWaitingSeconds, lateAfterSeconds }) => ({
            ...{ name, app, waiting, running },
            oldest_waiting_seconds: oldestWaitingSeconds,
            late_after_seconds: lateAfterSeconds,
            is_late: (oldestWaitingSeconds ?? 0) > (lateAfterSeconds ?? Infinity),
          })),
          messages: messages.map(({ name, consumer, waiting, oldestWaitingSeconds }) => ({
            ...{ name, app: consumer, waiting },
            oldest_waiting_seconds: oldestWaitingSeconds,
          })),
          processes: processes.map(({ app, connections }) => ({ app, connections })),
          database:
            database === undefined
              ? null
              : {
                  size_bytes: database.sizeBytes,
                  connections: database.connections,
                  max_connections: database.maxConnections,
                },
          replica: hasReplica ? { lag_bytes: replica?.bytes ?? null, lag_seconds: replica?.seconds ?? null } : null,
        },
      };
    },
  });
}
