import {
  createReplica,
  createReplicaMetrics,
  secureDatabaseUrl,
  type AnyDatabase,
  type Replica,
} from '@steward/database';
import { readDatabaseTls, type Logger, type Metrics } from '@steward/process';
import type { GatewaySettings } from './config.ts';

export interface ReplicaDeps {
  readonly db: AnyDatabase;
  readonly settings: GatewaySettings;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** Creates the connection to the replica of `DATABASE_READ_URL`; returns undefined if the setting is not set. */
export function openReplica({ db, settings, metrics: registry, logger }: ReplicaDeps): Replica | undefined {
  const metrics = createReplicaMetrics(registry);
  const { databaseReadUrl, databaseReadWaitMs: waitMs, databasePoolSize: poolSize } = settings;
  if (databaseReadUrl === undefined) return undefined;
  return createReplica({
    url: secureDatabaseUrl(databaseReadUrl, readDatabaseTls(settings)),
    applicationName: 'steward-api-gateway-replica',
    poolSize,
    waitMs,
    primary: db,
    metrics,
    logger,
  });
}
