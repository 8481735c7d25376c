import { connectBroker, createBrokerHealthCheck } from '@steward/broker';
import { assertSchemaCurrent, createDatabase, type SliceMigrations } from '@steward/database';
import { buildOpenApi, createHttpApp, createHttpServer } from '@steward/http';
import {
  createHealthServer,
  createLifecycle,
  createLogger,
  createMetrics,
  createSecretBox,
  loadSettings,
  maskSettings,
  systemClock,
  type HealthCheck,
  type RunnableApp,
} from '@steward/runtime';
import { backfillMigrations } from '@steward/slice-backfill';
import { flowsMigrations } from '@steward/slice-flows';
import { gatewayMigrations } from '@steward/slice-gateway';
import { searchMigrations } from '@steward/slice-search';
import { webhooksMigrations } from '@steward/slice-webhooks';
import { createAuthenticate } from './auth/authenticate.ts';
import { gatewaySettings } from './config.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import { createIdleSessionLoop } from './idle-sessions/idle-session-loop.ts';
import { OPENAPI_INFO } from './openapi-info.ts';
import { createRoutes } from './routes/index.ts';

const SLICES: readonly SliceMigrations[] = [
  gatewayMigrations,
  searchMigrations,
  webhooksMigrations,
  flowsMigrations,
  backfillMigrations,
];

/** All wiring of the gateway process. Connects to both servers before the port opens, so that it never answers half-ready. */
export async function buildApp(environment: NodeJS.ProcessEnv): Promise<RunnableApp> {
  const settings = loadSettings(gatewaySettings, environment);
  const secrets = [settings.secretKey];
  const logger = createLogger({ service: 'api-gateway', level: settings.logLevel, pretty: settings.debug, secrets });
  const metrics = createMetrics('api-gateway');
  const database = createDatabase({
    url: settings.databaseUrl,
    applicationName: 'steward-api-gateway',
    poolSize: settings.databasePoolSize,
    logger,
  });
  await database.connect();
  for (const slice of SLICES) await assertSchemaCurrent(database.db, slice);
  const broker = await connectBroker({ url: settings.natsUrl, name: 'api-gateway', logger, metrics });
  await broker.ensureStreams();

  const checks: HealthCheck[] = [
    { name: 'database', essential: true, check: () => database.checkHealth() },
    createBrokerHealthCheck(broker),
  ];
  const deps: GatewayDeps = {
    db: database.db,
    pool: database.pool,
    broker,
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
        { name: 'database', stop: () => database.close() },
        { name: 'broker', stop: () => broker.close() },
        ...(settings.serviceRole === 'gateway' ? [] : [createIdleSessionLoop(deps)]),
        ...healthServer,
        server,
      ],
      { logger, stopDeadlineSeconds: settings.stopDeadlineSeconds },
    ),
    describe: () => ({ port: server.port(), settings: maskSettings(gatewaySettings, settings) }),
  };
}
