import { createDatabase, listenTo } from '@steward/database';
import { CALLER_CHANNEL, createKnownCallers, type KnownCallers } from '@steward/identity';
import type { Component, Logger } from '@steward/process';

export interface KnownCallersDeps {
  /** URL of the database server itself, not of a pooler, which would not pass on notifications. */
  readonly databaseUrl: string;
  readonly settings: { readonly callerReuseEnabled: boolean };
  readonly logger: Logger;
}

/**
 * Creates the cache of callers; `callers` is undefined if the setting disables the cache. The lease of the cache is
 * renewed over a separate connection, which is opened by the first request that may use the cache.
 */
export function openKnownCallers({ databaseUrl, settings, logger }: KnownCallersDeps): {
  readonly callers: KnownCallers | undefined;
  readonly components: readonly Component[];
} {
  if (!settings.callerReuseEnabled) return { callers: undefined, components: [] };
  const database = createDatabase({
    url: databaseUrl,
    applicationName: 'steward-api-gateway-callers',
    poolSize: 1,
    logger,
    admit: listenTo({
      channel: CALLER_CHANNEL,
      onNotified: () => callers.lease.look(),
      onLost: () => callers.lease.drop(),
    }),
  });
  const callers = createKnownCallers({
    db: database.db,
    onFailure: (error) => logger.warn('callers.lease_failed', { error }),
    onElsewhere: () => logger.warn('callers.other_database', { setting: 'DATABASE_DIRECT_URL' }),
  });
  const stop = async () => {
    await callers.lease.stop();
    await database.close();
  };
  return { callers, components: [{ name: 'known callers', stop }] };
}
