import { connectBroker, createBrokerHealthCheck, type Broker } from '@steward/broker';
import type { AppName } from '@steward/contracts';
import { observePool } from './observe-pool.ts';
import {
  assertKeysFit,
  assertSchemaFits,
  createDatabase,
  reachDatabase,
  secureDatabaseUrl,
  type Database,
  type KeyCheck,
  type SliceMigrations,
} from '@steward/database';
import {
  createDrain,
  createLogger,
  createMetrics,
  createProbes,
  readDatabaseTls,
  readNatsTls,
  type baseSettings,
  type Component,
  type Drain,
  type Logger,
  type Metrics,
  type Probes,
  type SettingsOf,
} from '@steward/process';
import { listTelemetrySecrets, startTelemetry } from '@steward/telemetry';

export interface ServiceOptions {
  readonly service: AppName;
  readonly settings: SettingsOf<typeof baseSettings>;
  /** Contexts whose tables the process uses: the schema of each must contain everything that this build uses. */
  readonly slices: readonly SliceMigrations[];
  /** Configured secrets, which no log line may contain. */
  readonly secrets?: readonly string[];
  /** Encrypted values that the process decrypts: a key that decrypts none of them is a configuration error. */
  readonly keys?: KeyCheck;
  /** Number of the process in its group, for its metrics. */
  readonly processNumber?: string | undefined;
  /** Seconds that the process stays reachable after a stop was requested; not set for a process without requests. */
  readonly drainSeconds?: number;
}

/** Connections of a process to the database and the broker, available once both servers have responded. */
export interface ServiceConnections {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly database: Database;
  /**
   * URL of the database server itself, not of a pooler, with the paths of the TLS files; for pools whose connections
   * have their own settings.
   */
  readonly databaseUrl: string;
  readonly broker: Broker;
  readonly probes: Probes;
  /** Component that goes last in the list of components, so that it stops first. */
  readonly drain: Drain;
  /**
   * Components that close both connections and then end the export of traces and metrics. They go first in the list, so
   * that they stop last.
   */
  readonly components: readonly Component[];
}

/**
 * Connects to the database and the broker before anything else starts, so that no process serves requests before it is
 * ready.
 * @throws StartupError that names the variable and the address of an unreachable server, or says what to do about a
 *   schema or a key that does not match
 */
export async function connectService(options: ServiceOptions): Promise<ServiceConnections> {
  const { service, settings } = options;
  const logger = createLogger({
    service,
    level: settings.logLevel,
    pretty: settings.debug,
    secrets: [...(options.secrets ?? []), ...listTelemetrySecrets(settings)],
  });
  const metrics = createMetrics(service, options.processNumber);
  const telemetry = await startTelemetry({ service, settings, metrics, logger });
  const { databaseDirectUrl } = settings;
  const databaseTls = readDatabaseTls(settings);
  const pooledUrl = secureDatabaseUrl(settings.databaseUrl, databaseTls);
  const databaseUrl = databaseDirectUrl === undefined ? pooledUrl : secureDatabaseUrl(databaseDirectUrl, databaseTls);
  const natsTls = readNatsTls(settings);
  const database = createDatabase({
    url: pooledUrl,
    applicationName: `steward-${service}`,
    poolSize: settings.databasePoolSize,
    logger,
    namedStatements: settings.databaseNamedStatements ?? databaseDirectUrl === undefined,
  });
  observePool(metrics, database.pool, settings.databasePoolSize);
  await database.connect();
  if (databaseDirectUrl !== undefined) await reachDatabase(databaseUrl, 'DATABASE_DIRECT_URL');
  for (const slice of options.slices) {
    const unknown = await assertSchemaFits(database.db, slice);
    if (unknown.length > 0) logger.info('schema.is_ahead', { schema: slice.schema, unknown_migrations: unknown });
  }
  if (options.keys !== undefined) await assertKeysFit(database.db, options.keys, logger);
  const broker = await connectBroker({
    url: settings.natsUrl,
    tls: natsTls,
    name: service,
    app: service,
    replicas: settings.streamReplicas,
    logger,
    metrics,
  });
  await broker.ensureStreams();
  const drain = createDrain(options.drainSeconds ?? 0);
  return {
    logger,
    metrics,
    database,
    databaseUrl,
    broker,
    drain,
    probes: createProbes({
      checks: [
        { name: 'database', essential: true, check: () => database.checkHealth() },
        createBrokerHealthCheck(broker),
      ],
      isDraining: () => drain.isDraining(),
    }),
    components: [
      ...telemetry,
      { name: 'database', stop: () => database.close() },
      { name: 'broker', stop: () => broker.close() },
    ],
  };
}
