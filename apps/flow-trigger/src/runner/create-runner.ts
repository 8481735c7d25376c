import type { FlowTriggerSettings } from '../config.ts';
import { createDockerRunner } from './docker-runner.ts';
import { createProcessRunner } from './process-runner.ts';
import type { Runner } from './runner.ts';

const LONGEST_KILL_AFTER_MS = 5000;
const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin';
/** What tells a docker client where its engine is and how to log in to it. */
const DOCKER_VARIABLES = [
  'HOME',
  'DOCKER_HOST',
  'DOCKER_CONTEXT',
  'DOCKER_CONFIG',
  'DOCKER_TLS_VERIFY',
  'DOCKER_CERT_PATH',
  'SSH_AUTH_SOCK',
];

/** The runner `FLOW_RUNNER` names. @throws StartupError when docker is asked for and does not answer */
export async function createRunner(settings: FlowTriggerSettings, environment: NodeJS.ProcessEnv): Promise<Runner> {
  const path = environment.PATH ?? DEFAULT_PATH;
  // A worker that is told to stop has to be through with it, and with the database, within its deadline.
  const killAfterMs = Math.min(LONGEST_KILL_AFTER_MS, settings.stopDeadlineSeconds * 200);
  if (settings.runner === 'process') return createProcessRunner({ killAfterMs, path });
  const given = DOCKER_VARIABLES.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const runner = createDockerRunner({
    image: settings.dockerImage,
    network: settings.dockerNetwork,
    memory: settings.dockerMemory,
    cpus: settings.dockerCpus,
    pidsLimit: settings.dockerPidsLimit,
    killAfterMs,
    clientEnvironment: { PATH: path, ...Object.fromEntries(given) },
    user: process.getuid === undefined ? undefined : `${process.getuid()}:${process.getgid?.() ?? 0}`,
  });
  await runner.check();
  return runner;
}
