import {
  createHealthServer,
  createLifecycle,
  createLogger,
  createMetrics,
  createProcessGroup,
  loadSettings,
  maskSettings,
  readProcessNumber,
  type RunnableApp,
} from '@steward/process';
import { buildApp } from './app.ts';
import { gatewaySettings, type GatewaySettings } from './config.ts';

/** The first process of a group: distinguished from those that it starts, which count from 1. */
const FIRST_PROCESS = '0';
/** Each process of the group has a deadline of its own, which is shorter; this also covers what a busy machine takes to load them. */
const START_DEADLINE_SECONDS = 120;
/** A process of the group ends within its own deadline; this is for one that does not. */
const EXTRA_STOP_SECONDS = 5;

/** The gateway in this process, or a group of processes, each of which is a gateway (PROC-19). */
export async function buildProcess(environment: NodeJS.ProcessEnv): Promise<RunnableApp> {
  if (readProcessNumber(environment) !== undefined) return buildApp(environment);
  const settings = loadSettings(gatewaySettings, environment);
  return settings.processes === 1 ? buildApp(environment) : buildGroup(settings);
}

function buildGroup(settings: GatewaySettings): RunnableApp {
  const { processes: size, drainSeconds, healthPort } = settings;
  const logger = createLogger({ service: 'api-gateway', level: settings.logLevel, pretty: settings.debug });
  const metrics = createMetrics('api-gateway', FIRST_PROCESS);
  const stopDeadlineSeconds = drainSeconds + settings.stopDeadlineSeconds + EXTRA_STOP_SECONDS;
  const group = createProcessGroup({ size, logger, metrics, stopDeadlineSeconds });
  const healthServer =
    healthPort === undefined
      ? undefined
      : createHealthServer({ host: settings.host, port: healthPort, probes: group.probes, metrics: group.metrics });
  return {
    logger,
    startDeadlineSeconds: START_DEADLINE_SECONDS,
    // The group stops first: a readiness probe meanwhile learns that it drains.
    lifecycle: createLifecycle([...(healthServer === undefined ? [] : [healthServer]), group], {
      logger,
      stopDeadlineSeconds: stopDeadlineSeconds + EXTRA_STOP_SECONDS,
    }),
    describe: () => ({
      port: group.port(),
      health_port: healthServer?.port(),
      settings: maskSettings(gatewaySettings, settings),
    }),
  };
}
