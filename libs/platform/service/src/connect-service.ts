import { connectBroker, createBrokerHealthCheck, type Broker } from '@steward/broker';
import { assertSchemaCurrent, createDatabase, type Database, type SliceMigrations } from '@steward/database';
import {
  createLogger,
  createMetrics,
  type baseSettings,
  type Component,
  type HealthCheck,
  type Logger,
  type Metrics,
  type SettingsOf,
} from '@steward/runtime';

export interface ServiceOptions {
  readonly service: string;
  readonly settings: SettingsOf<typeof baseSettings>;
  /** Slices whose tables the process uses: each must be exactly of this build. */
  readonly slices: readonly SliceMigrations[];
  /** Configured secrets, which no log line may hold. */
  readonly secrets?: readonly string[];
}

/** What a process works with once both servers answered. */
export interface ServiceConnections {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly database: Database;
  readonly broker: Broker;
  readonly checks: readonly HealthCheck[];
  /** Closes both connections; first in the list of components, so that they are stopped last. */
  readonly components: readonly Component[];
}

/**
 * Connects to both servers before anything else starts, so that no process ever serves half-ready.
 * @throws StartupError naming the variable and the address when one is away, or the command when the schema does not fit.
 */
export async function connectService(options: ServiceOptions): Promise<ServiceConnections> {
  const { service, settings } = options;
  const logger = createLogger({
    service,
    level: settings.logLevel,
    pretty: settings.debug,
    secrets: options.secrets ?? [],
  });
  const metrics = createMetrics(service);
  const database = createDatabase({
    url: settings.databaseUrl,
    applicationName: `steward-${service}`,
    poolSize: settings.databasePoolSize,
    logger,
  });
  await database.connect();
  for (const slice of options.slices) await assertSchemaCurrent(database.db, slice);
  const broker = await connectBroker({ url: settings.natsUrl, name: service, logger, metrics });
  await broker.ensureStreams();
  return {
    logger,
    metrics,
    database,
    broker,
    checks: [
      { name: 'database', essential: true, check: () => database.checkHealth() },
      createBrokerHealthCheck(broker),
    ],
    components: [
      { name: 'database', stop: () => database.close() },
      { name: 'broker', stop: () => broker.close() },
    ],
  };
}
