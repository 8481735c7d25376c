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
  /** The worker's own components, in the order they start. */
  readonly components: readonly Component[];
  /** Returns counters since the start, shown in the worker's health response. */
  readonly activity: () => Readonly<Record<string, unknown>>;
  /** Seconds allowed for the worker's work after a stop is requested, before the common deadline begins. */
  readonly stopGraceSeconds?: number;
}

/** Builds a worker for `runApp`: its connections, health port and own components. */
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
