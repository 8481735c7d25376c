import { systemClock } from '@steward/async';
import { createDatabase } from '@steward/database';
import type { Route } from '@steward/http';
import { createLogger, createMetrics, createProbes, loadSettings } from '@steward/process';
import { createGatewaySigner } from './auth/gateway-signer.ts';
import { gatewaySettings } from './config.ts';
import { openSurfaces } from './surfaces/open-surfaces.ts';
import { createLargeBodyGate, createSecretBoxes } from '@steward/api';

const SETTINGS = {
  DATABASE_URL: 'postgres://localhost/steward',
  NATS_URL: 'nats://localhost',
  // This edition has every route.
  SERVICE_EDITION: 'enterprise',
  SECRET_KEY: 'only-for-reading-the-route-table-0000',
};

/**
 * Returns the routes of a process that has no connections: only the declarations of the routes are read. Routes of
 * external protocols are excluded.
 */
export function listDeclaredRoutes(): readonly Route[] {
  const settings = loadSettings(gatewaySettings, SETTINGS);
  const logger = createLogger({ service: 'documents', level: 'error', pretty: false });
  const { databaseUrl } = settings;
  const { db, pool } = createDatabase({ url: databaseUrl, applicationName: 'documents', poolSize: 1, logger });
  const { surfaces } = openSurfaces(settings.serviceRole, {
    db,
    pool,
    databaseUrl,
    broker: {
      publishHint: () => undefined,
      publishHints: () => undefined,
      readBacklog: () => Promise.resolve({ messages: 0, oldestAt: undefined }),
    },
    settings,
    signer: createGatewaySigner(settings),
    clock: systemClock,
    logger,
    metrics: createMetrics('documents'),
    probes: createProbes({ checks: [], isDraining: () => false }),
    secretBoxes: createSecretBoxes([settings.secretKey]),
    largeBodies: createLargeBodyGate(),
  });
  return surfaces.filter((surface) => surface.isForeign !== true).flatMap((surface) => surface.routes);
}
