import { deepEqual, equal, ok } from 'node:assert/strict';
import { APPS } from '../../workspace.ts';
import type { ComposeProject } from '../compose-project.ts';
import { findSecretVariables } from './secret-variables.ts';
import { docker, inspectContainer, type ContainerFacts } from '../docker.ts';

/** Bits of the capabilities CHOWN, DAC_OVERRIDE, FOWNER, KILL, SETGID, SETUID and SETPCAP. */
const WORKER_CAPABILITIES = 0x1eb;

async function inspectAll(project: ComposeProject, ...services: readonly string[]): Promise<ContainerFacts[]> {
  return Promise.all((await project.listContainers(...services)).map(inspectContainer));
}

export async function checkPublishedPorts(project: ComposeProject): Promise<void> {
  const published = (await inspectAll(project)).flatMap(({ Config, NetworkSettings }) =>
    Object.entries(NetworkSettings.Ports).flatMap(([port, bindings]) =>
      (bindings ?? []).map(({ HostIp }) => `${String(Config.Labels['com.docker.compose.service'])} ${port} ${HostIp}`),
    ),
  );
  deepEqual(published, ['api-gateway 8000/tcp 127.0.0.1']);
}

/**
 * Checks that the root file system of each container is read-only, and checks the user, capabilities and seccomp mode
 * of its first process, as reported by the kernel.
 */
export async function checkUsers(project: ComposeProject): Promise<void> {
  for (const app of APPS) {
    const [facts] = await inspectAll(project, app);
    ok(facts?.HostConfig.ReadonlyRootfs, `${app}: the root file system is writable`);
    const status = await project.exec(app, 'cat', '/proc/1/status');
    const read = (name: string): string => new RegExp(`^${name}:\\s+(\\w+)`, 'm').exec(status)?.[1] ?? '';
    const isWorker = app === 'flow-trigger';
    const allowed = isWorker ? WORKER_CAPABILITIES : 0;
    deepEqual(
      [
        read('Uid'),
        ...['CapEff', 'CapBnd'].map((name) => Number.parseInt(read(name), 16)),
        read('NoNewPrivs'),
        read('Seccomp'),
      ],
      [isWorker ? '0' : '1000', allowed, allowed, '1', '2'],
      app,
    );
  }
}

/**
 * Checks the names of the variables, because a secret that this deployment does not use cannot be found by its value.
 */
export async function checkVariables(project: ComposeProject): Promise<void> {
  for (const { Name, Config } of await inspectAll(project)) {
    const names = Config.Env.map((variable) => variable.replace(/=.*/s, ''));
    deepEqual(findSecretVariables(names), [], Name);
  }
}

export async function checkLogging(project: ComposeProject): Promise<void> {
  for (const { Name, HostConfig } of await inspectAll(project))
    equal(HostConfig.LogConfig.Config['max-size'], '20m', Name);
}

export async function checkBounds(project: ComposeProject): Promise<string> {
  const found = await Promise.all(
    APPS.map(async (name) => {
      const [id = ''] = await project.listContainers(name);
      const limits = await docker('inspect', '--format', '{{.HostConfig.Memory}} {{.HostConfig.PidsLimit}}', id);
      const [memory = 0, pids = 0] = limits.split(' ').map(Number);
      ok(memory > 0 && (name !== 'flow-trigger' || pids > 0), `${name}: ${limits}`);
      return `${name} ${memory / 2 ** 30} GiB`;
    }),
  );
  return found.join(', ');
}

export async function checkSharedMemory(project: ComposeProject): Promise<void> {
  const answer = await project.exec('postgres', 'df', '-k', '--output=size', '/dev/shm');
  equal(Number(/\d+$/.exec(answer)?.[0]), 1024 * 1024);
}
