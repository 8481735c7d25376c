import { createDatabase, type SliceMigrations } from '@steward/database';
import { buildOpenApi, createHttpApp, createHttpServer } from '@steward/http';
import {
  createHealthServer,
  createLifecycle,
  createSecretBox,
  loadSettings,
  maskSettings,
  systemClock,
  type RunnableApp,
} from '@steward/runtime';
import { connectService } from '@steward/service';
import { backfillMigrations } from '@steward/slice-backfill';
import { flowsMigrations } from '@steward/slice-flows';
import { gatewayMigrations } from '@steward/slice-gateway';
import { SEARCH_SESSION_SETTINGS, searchMigrations } from '@steward/slice-search';
import { webhooksMigrations } from '@steward/slice-webhooks';
import { createAuthenticate } from './auth/authenticate.ts';
import { gatewaySettings } from './config.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import { createIdleSessionLoop } from './idle-sessions/idle-session-loop.ts';
import { OPENAPI_INFO } from './openapi-info.ts';
import { createLoginFailurePurge } from './routes/auth/login-failure-purge.ts';
import { createAuditQueue } from './routes/session-search/audit-queue.ts';
import { createTriggerQueue } from './routes/flow-webhooks/trigger-queue.ts';
import { createRoutes } from './routes/index.ts';

const SLICES: readonly SliceMigrations[] = [
  gatewayMigrations,
  searchMigrations,
  webhooksMigrations,
  flowsMigrations,
  backfillMigrations,
];

const CANCEL_CONNECTIONS = 2;

/** All wiring of the gateway process. Connects to both servers before the port opens, so that it never answers half-ready. */
export async function buildApp(environment: NodeJS.ProcessEnv): Promise<RunnableApp> {
  const settings = loadSettings(gatewaySettings, environment);
  const connections = await connectService({
    service: 'api-gateway',
    settings,
    slices: SLICES,
    secrets: [settings.secretKey],
  });
  const { broker, checks, database, logger, metrics } = connections;
  const searchDatabase = createDatabase({
    url: settings.databaseUrl,
    applicationName: 'steward-api-gateway-search',
    poolSize: settings.searchMaxConcurrent,
    logger,
    sessionSettings: {
      ...SEARCH_SESSION_SETTINGS,
      // The budget cancels by itself; this ends what a crashed process left behind.
      statement_timeout: `${settings.searchTimeoutMs * 2}ms`,
      default_transaction_read_only: 'on',
    },
  });
  // What a search asks besides ranking waits for the same locks and disks: on the common pool it would hold up every route.
  const coverageDatabase = createDatabase({
    url: settings.databaseUrl,
    applicationName: 'steward-api-gateway-coverage',
    poolSize: settings.searchMaxConcurrent,
    logger,
    sessionSettings: { statement_timeout: `${settings.searchTimeoutMs}ms`, default_transaction_read_only: 'on' },
  });
  // One connection, since the rows of one moment are written together.
  const auditDatabase = createDatabase({
    url: settings.databaseUrl,
    applicationName: 'steward-api-gateway-audit',
    poolSize: 1,
    logger,
    sessionSettings: { statement_timeout: `${settings.searchTimeoutMs}ms` },
  });
  // Nothing else runs here: a cancellation that waits for a connection frees no slot.
  const cancelDatabase = createDatabase({
    url: settings.databaseUrl,
    applicationName: 'steward-api-gateway-cancel',
    poolSize: CANCEL_CONNECTIONS,
    logger,
  });
  const triggerQueue = createTriggerQueue({ pool: database.pool, broker });
  const searchAudits = createAuditQueue(auditDatabase.db);
  const deps: GatewayDeps = {
    db: database.db,
    pool: database.pool,
    searchPools: { work: searchDatabase.pool, cancel: cancelDatabase.pool },
    coverageDb: coverageDatabase.db,
    searchAudits,
    broker,
    triggerQueue,
    settings,
    clock: systemClock,
    logger,
    metrics,
    secretBoxes: {
      webhook: createSecretBox(settings.secretKey, 'webhook-endpoint'),
      flow: createSecretBox(settings.secretKey, 'flow-webhook'),
    },
  };
  const routes = createRoutes(deps, checks);
  const app = createHttpApp({
    routes,
    authenticate: createAuthenticate(deps),
    logger,
    metrics,
    openApi: buildOpenApi(routes, OPENAPI_INFO),
    trustedProxies: settings.trustedProxies,
  });
  const server = createHttpServer({ app, host: settings.host, port: settings.port, variable: 'PORT' });
  const healthServer =
    settings.healthPort === undefined
      ? []
      : [createHealthServer({ host: settings.host, port: settings.healthPort, checks, metrics })];
  return {
    logger,
    lifecycle: createLifecycle(
      [
        ...connections.components,
        ...[searchDatabase, coverageDatabase, auditDatabase, cancelDatabase].map((each) => ({
          name: 'search database',
          stop: () => each.close(),
        })),
        { name: 'search audits', stop: () => searchAudits.drain() },
        { name: 'trigger queue', stop: () => triggerQueue.drain() },
        createLoginFailurePurge(deps),
        ...(settings.serviceRole === 'gateway' ? [] : [createIdleSessionLoop(deps)]),
        ...healthServer,
        server,
      ],
      { logger, stopDeadlineSeconds: settings.stopDeadlineSeconds },
    ),
    describe: () => ({ port: server.port(), settings: maskSettings(gatewaySettings, settings) }),
  };
}
