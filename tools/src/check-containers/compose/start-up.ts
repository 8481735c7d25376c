import { equal, ok } from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ComposeProject } from '../compose-project.ts';
import { inspectContainer } from '../docker.ts';

const SERVICES = 8;
/** Files that third-party images read, under their own users. */
const FOREIGN_FILES = ['postgres-password', 'nats-config'];

/** Override with which setting up an empty volume takes Postgres 15 s longer, as on a slow disk. */
export const SLOW_DISK = `
services:
  postgres:
    configs:
      - source: slow
        target: /docker-entrypoint-initdb.d/slow.sh
configs:
  slow:
    content: |
      sleep 15
`;

/** Checks the files that are derived by following the header of the compose file, on a machine without Node. */
export async function checkDerivedFiles(project: ComposeProject): Promise<string> {
  await project.compose('run', '--rm', 'derive-keys');
  const files = readdirSync(project.secretFolder);
  ok(files.length >= 20, `${files.length} files`);
  for (const file of files) {
    const { mode, uid } = statSync(resolve(project.secretFolder, file));
    equal((mode & 0o777).toString(8), FOREIGN_FILES.includes(file) ? '444' : '400', file);
    equal(uid, 1000, file);
  }
  return `${files.length} files`;
}

export async function upAndHealthy(project: ComposeProject): Promise<string> {
  const startedAt = performance.now();
  await project.compose('up', '--detach', '--wait', '--wait-timeout', '180');
  const seconds = (performance.now() - startedAt) / 1000;
  const containers = await Promise.all((await project.listContainers()).map(inspectContainer));
  equal(containers.length, SERVICES);
  for (const { Name, State } of containers.filter(({ Name: name }) => !name.includes('migrate')))
    equal(State.Health?.Status, 'healthy', Name);
  return `${seconds.toFixed(1)} s`;
}

export async function checkMigrated(project: ComposeProject): Promise<void> {
  const [id = ''] = await project.listContainers('migrate');
  const { State } = await inspectContainer(id);
  equal(`${State.Status} ${State.ExitCode}`, 'exited 0');
}

export async function checkRepeatedUp(project: ComposeProject): Promise<void> {
  const before = await project.listContainers();
  await project.compose('up', '--detach', '--wait');
  equal((await project.listContainers()).sort().join(), before.sort().join());
}
