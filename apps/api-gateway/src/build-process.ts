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

/** Name of the first process of a group; the processes that it starts are numbered from 1. */
const FIRST_PROCESS = '0';
/**
 * Time limit for starting the group. Each process of the group has its own, shorter limit; this one also includes the
 * time that a busy machine needs to load the processes.
 */
const START_DEADLINE_SECONDS = 120;
/** Additional time for stopping the group. A process of the group ends within its own time limit, unless it hangs. */
const EXTRA_STOP_SECONDS = 5;

/** Builds the gateway in this process, or a group of processes, each of which is a gateway (PROC-19). */
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
    // The group stops first; during this time, readiness probes report that it is draining.
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
