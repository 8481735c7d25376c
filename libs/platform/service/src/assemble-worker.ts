import {
  createHealthServer,
  createLifecycle,
  maskSettings,
  type Component,
  type RunnableApp,
  type Setting,
  type SettingsOf,
  type workerSettings,
} from '@steward/process';
import type { ServiceConnections } from './connect-service.ts';

export interface WorkerParts<Shape extends Readonly<Record<string, Setting<unknown>>>> {
  readonly shape: Shape;
  readonly settings: SettingsOf<Shape> & SettingsOf<typeof workerSettings>;
  /** The worker's own parts, in the order they start. */
  readonly components: readonly Component[];
  /** What it did since it started, shown by its health answer. */
  readonly activity: () => Readonly<Record<string, unknown>>;
  /** How long its work may go on after it was told to stop, before the deadline of everything else begins. */
  readonly stopGraceSeconds?: number;
}

/** A worker as `runApp` runs it: connections, its health port, its own parts. */
export function assembleWorker<Shape extends Readonly<Record<string, Setting<unknown>>>>(
  connections: ServiceConnections,
  parts: WorkerParts<Shape>,
): RunnableApp {
  const { logger, metrics, probes } = connections;
  const { settings, stopGraceSeconds = 0 } = parts;
  const healthServer = createHealthServer({
    host: settings.healthHost,
    port: settings.healthPort,
    probes,
    metrics,
    activity: parts.activity,
  });
  const components = [...connections.components, healthServer, ...parts.components, connections.drain];
  return {
    logger,
    lifecycle: createLifecycle(components, {
      logger,
      stopDeadlineSeconds: stopGraceSeconds + settings.stopDeadlineSeconds,
    }),
    describe: () => ({ health_port: healthServer.port(), settings: maskSettings(parts.shape, settings) }),
  };
}
