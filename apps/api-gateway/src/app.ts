import { createHttpApp, createHttpServer, type HttpAppOptions } from '@steward/http';
import { systemClock } from '@steward/async';
import { KEY_PURPOSES } from '@steward/crypto';
import {
  createGroupReporter,
  createHealthServer,
  createLifecycle,
  loadSettings,
  maskSettings,
  readProcessNumber,
  type RunnableApp,
} from '@steward/process';
import type { AnyDatabase } from '@steward/database';
import { connectService } from '@steward/service';
import { listAuditExportSecrets } from '@steward/audit-api';
import { listEvidenceSecrets } from '@steward/flows';
import { listContentBucketSecrets } from '@steward/sessions';
import { ALL_SLICES, SEALED_COLUMNS } from '@steward/migrations';
import { createGatewaySigner } from './auth/gateway-signer.ts';
import { findFrameOrigins } from '@steward/webhooks';
import { gatewaySettings, type GatewaySettings } from './config.ts';
import { openConsole } from './console/open-console.ts';
import { openSurfaces } from './surfaces/open-surfaces.ts';
import { createLargeBodyGate, createSecretBoxes, type SecretBoxes } from '@steward/api';
import { describeApi } from './describe-api.ts';
import { describeAsyncApi } from './describe-asyncapi.ts';
import { openKnownCallers } from './open-known-callers.ts';
import { openReplica } from './open-replica.ts';
import { createRequestGate } from './request-gate.ts';
import { createWarmUp } from './warm-up/create-warm-up.ts';
import { warnOfOpenSettings } from './warn-of-open-settings.ts';
import { listSecretKeys } from './secret-keys.ts';

function nameBoxes(boxes: SecretBoxes) {
  return {
    [KEY_PURPOSES.endpoint]: boxes.webhook,
    [KEY_PURPOSES.flowWebhook]: boxes.flow,
    [KEY_PURPOSES.flowAgent]: boxes.flowAgent,
    [KEY_PURPOSES.embedding]: boxes.embedding,
    [KEY_PURPOSES.model]: boxes.model,
    [KEY_PURPOSES.toolServer]: boxes.toolServer,
    [KEY_PURPOSES.tracker]: boxes.tracker,
    [KEY_PURPOSES.approvedCall]: boxes.approvedCall,
    [KEY_PURPOSES.sessionContent]: boxes.sessionContent,
  };
}

function listBucketKeys(settings: GatewaySettings): readonly string[] {
  return [...listEvidenceSecrets(settings), ...listAuditExportSecrets(settings), ...listContentBucketSecrets(settings)];
}

/**
 * Builds the gateway process. It connects to the database and the broker before the port opens, so that it never
 * accepts requests before it is ready.
 */
export async function buildApp(environment: NodeJS.ProcessEnv): Promise<RunnableApp> {
  const beganAt = performance.now();
  const settings = loadSettings(gatewaySettings, environment);
  const processNumber = readProcessNumber(environment);
  const secretKeys = listSecretKeys(settings);
  const secretBoxes = createSecretBoxes(secretKeys);
  const connections = await connectService({
    service: 'api-gateway',
    settings,
    slices: ALL_SLICES,
    secrets: [...secretKeys, ...listBucketKeys(settings)],
    keys: {
      columns: SEALED_COLUMNS,
      boxes: nameBoxes(secretBoxes),
      variable: 'SECRET_KEY',
      isLost: settings.secretKeyLost,
    },
    drainSeconds: settings.drainSeconds,
    processNumber,
  });
  const { databaseUrl, broker, database, logger, metrics, probes } = connections;
  const { db, pool } = database;
  warnOfOpenSettings(settings, logger);
  const replica = openReplica({ db, settings, metrics, logger });
  const largeBodies = createLargeBodyGate();
  const clock = systemClock;
  const signer = createGatewaySigner(settings);
  const { surfaces, components, streams, warmUpSearch } = openSurfaces(settings.serviceRole, {
    db,
    pool,
    databaseUrl,
    replica,
    broker,
    settings,
    signer,
    clock,
    logger,
    metrics,
    probes,
    secretBoxes,
    largeBodies,
  });
  const { callers: knownCallers, components: callerLease } = openKnownCallers({ databaseUrl, settings, logger });
  const gate = createRequestGate({ db, settings, signer, clock, largeBodies, knownCallers, metrics });
  const warmUp = createWarmUp({ db, pool, surfaces, gate, signer, warmUpSearch, settings, logger, beganAt });
  const server = openServer({ db, surfaces, gate, logger, metrics }, settings);
  const healthServer =
    settings.healthPort === undefined || processNumber !== undefined
      ? []
      : [createHealthServer({ host: settings.host, port: settings.healthPort, probes, metrics })];
  const reporter = processNumber === undefined ? [] : [createGroupReporter({ probes, metrics })];
  return {
    logger,
    subject: processNumber === undefined ? 'service' : 'process',
    lifecycle: createLifecycle(
      [
        ...connections.components,
        ...callerLease,
        ...components,
        warmUp,
        ...healthServer,
        server,
        ...streams,
        connections.drain,
        ...reporter,
      ],
      {
        logger,
        stopDeadlineSeconds: settings.drainSeconds + settings.stopDeadlineSeconds,
      },
    ),
    describe: () => ({
      process: processNumber,
      port: server.port(),
      health_port: healthServer[0]?.port(),
      settings: maskSettings(gatewaySettings, settings),
    }),
  };
}

type ServerParts = Pick<HttpAppOptions, 'surfaces' | 'gate' | 'logger' | 'metrics'> & { readonly db: AnyDatabase };

function openServer({ db, ...parts }: ServerParts, settings: GatewaySettings): ReturnType<typeof createHttpServer> {
  const { surfaces, logger } = parts;
  const own = surfaces.filter((surface) => surface.isForeign !== true);
  const app = createHttpApp({
    ...parts,
    openApi: () => describeApi(own.flatMap((surface) => surface.routes)),
    asyncApi: describeAsyncApi,
    sites: openConsole(settings, { logger, findFrameOrigins: (id) => findFrameOrigins(db, id, systemClock.now()) }),
    trustedProxies: settings.trustedProxies,
  });
  return createHttpServer({ app, host: settings.host, port: settings.port, variable: 'PORT' });
}
