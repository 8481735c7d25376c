import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../../workspace.ts';

export const RUNNER_FILE = resolve(WORKSPACE_ROOT, 'deploy/compose.docker-runner.yml');

/** Settings with small limits, and a short time until lost workers are detected. */
const SETTINGS = { FLOW_DOCKER_MEMORY: '256m', FLOW_DOCKER_CPUS: '0.5', FLOW_DOCKER_PIDS_LIMIT: '64' };

/** Returns the settings that the override of the docker runner needs on this machine. */
export function describeRunner(workFolder: string): Readonly<Record<string, string>> {
  const socket = (process.env.DOCKER_HOST ?? 'unix:///var/run/docker.sock').replace(/^unix:\/\//, '');
  return {
    ...SETTINGS,
    FLOW_WORK_DIR: workFolder,
    FLOW_DOCKER_PULL: 'never',
    DOCKER_SOCKET: socket,
    DOCKER_GID: String(statSync(socket).gid),
  };
}
