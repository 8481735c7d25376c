import { rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { docker } from '../docker.ts';
import type { Checks } from '../checks.ts';
import { createComposeProject } from '../compose-project.ts';
import { startContainerReceiver } from '../receiver.ts';
import { registerVisitor } from '../visitor.ts';
import {
  checkBounds,
  checkLogging,
  checkPublishedPorts,
  checkSharedMemory,
  checkUsers,
  checkVariables,
} from './hardening.ts';
import { checkServerKill, checkStaysOverDown, checkStop } from './outage.ts';
import { checkScale } from './scale.ts';
import { checkAgentSecrecy, checkLeftBehind, checkSecretsStayInFiles } from './secrecy.ts';
import { checkDerivedFiles, checkMigrated, checkRepeatedUp, SLOW_DISK, upAndHealthy } from './start-up.ts';
import { checkAgentCallsBack, checkFlow, checkSearch, checkWebhook, type Deployment } from './use.ts';
import { makeFolder } from '../make-folder.ts';

const AREA = 'compose';

/** Checks the deployment with the compose file, from an empty machine to the removal of the deployment. */
export async function checkCompose(checks: Checks): Promise<void> {
  const project = await createComposeProject('steward-check');
  const receiver = await startContainerReceiver();
  const check = (title: string, work: () => Promise<string | void>): Promise<void> => checks.check(AREA, title, work);
  try {
    await check('docker compose run --rm derive-keys writes the secret files', () => checkDerivedFiles(project));
    await check('docker compose up on an empty machine: every container becomes healthy', () => upAndHealthy(project));
    await check('the database is migrated once, with exit code 0', () => checkMigrated(project));
    await check('a second docker compose up changes nothing', () => checkRepeatedUp(project));
    await check('only the API is published, on 127.0.0.1', () => checkPublishedPorts(project));
    await check(
      'apps run as uid 1000 without capabilities, new privileges or a writable root; only the worker has capabilities (seven)',
      () => checkUsers(project),
    );
    await check('no container has a secret in a variable: each gets it as a file', () => checkVariables(project));
    await check('the size of the logs is limited', () => checkLogging(project));
    await check('the resources of the flow worker and its agents are limited', () => checkBounds(project));
    await check('Postgres has shared memory for parallel queries', () => checkSharedMemory(project));
    await check('no secret is in the variables, arguments, labels or log of a container', () =>
      checkSecretsStayInFiles(project),
    );
    const deployment: Deployment = { project, receiver, api: await registerVisitor(project.apiUrl) };
    await check('stored content is found', () => checkSearch(deployment));
    await check('a signed webhook is delivered', () => checkWebhook(deployment));
    await check('a flow gets its files and prompt, and its result is stored', () => checkFlow(deployment));
    await check('an agent calls the API with its token', () => checkAgentCallsBack(deployment));
    await check('an agent cannot read secrets, variables of the service or files of another run', () =>
      checkAgentSecrecy(deployment),
    );
    await check('nothing started by an agent outlives its run, and no zombie remains', () =>
      checkLeftBehind(deployment),
    );
    for (const server of ['postgres', 'nats'])
      await check(`kill -9 of ${server} under traffic loses nothing`, () => checkServerKill(deployment, server));
    await check('--scale: more workers share the work', () => checkScale(deployment));
    await check('apps exit by themselves on SIGTERM, with code 0', () => checkStop(project));
    await check('after down and up, the data remains and previously issued tokens stay valid', () =>
      checkStaysOverDown(deployment),
    );
    await check('memory of the idle containers', () => listMemory(project.name));
  } catch (error) {
    await check('the deployment can be used', () => Promise.reject(error));
  } finally {
    receiver.close();
    await project.remove();
  }
  await checkSlowDisk(check);
}

/** Starts a second deployment, whose database takes long to set up. */
async function checkSlowDisk(
  check: (title: string, work: () => Promise<string | void>) => Promise<void>,
): Promise<void> {
  const folder = makeFolder('steward-check-slow');
  const file = resolve(folder, 'slow-disk.yml');
  writeFileSync(file, SLOW_DISK);
  const project = await createComposeProject('steward-check-slow', { files: [file] });
  try {
    await check('docker compose up waits for a database that is slow to set up', async () => {
      await checkDerivedFiles(project);
      return upAndHealthy(project);
    });
  } finally {
    await project.remove();
    rmSync(folder, { recursive: true });
  }
}

async function listMemory(name: string): Promise<string> {
  const stats = await docker('stats', '--no-stream', '--format', '{{.Name}} {{.MemUsage}}');
  return stats
    .split('\n')
    .filter((line) => line.startsWith(`${name}-`))
    .map((line) => line.slice(name.length + 1).replace(/ \/.*/, ''))
    .sort()
    .join(', ');
}
