import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { eventually } from '@steward/testing';
import { docker } from '../docker.ts';
import { awaitEnd, awaitStatus, runAgent, startAgent } from '../visitor.ts';
import {
  awaitContainer,
  awaitNoContainer,
  expectNothingLeft,
  listAgentContainers,
  type RunnerDeployment,
} from './agent-containers.ts';

const STUBBORN = `trap '' TERM; setsid sh -c "trap '' TERM; sleep 300; :" & while :; do sleep 1; done`;
const SHORTEST_TIMEOUT_SECONDS = 60;

export async function checkStopped(deployment: RunnerDeployment): Promise<string> {
  const { api } = deployment;
  const id = await startAgent(api, STUBBORN);
  await awaitStatus(api, id, 'RUNNING');
  const startedAt = performance.now();
  await api.call('POST', `/api/v1/flows/executions/${id}/stop`);
  equal((await awaitEnd(api, id)).status, 'STOPPED');
  await expectNothingLeft(deployment, [id]);
  return `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
}

export async function checkTimeout(deployment: RunnerDeployment): Promise<void> {
  const run = await runAgent(deployment.api, STUBBORN, { flow: { timeout_seconds: SHORTEST_TIMEOUT_SECONDS } });
  deepEqual([run.status, run.failure.split(':')[0]], ['FAILED', 'timeout'], run.failure);
  await expectNothingLeft(deployment, [run.id]);
}

export async function checkRemovedOutside({ api }: RunnerDeployment): Promise<void> {
  const id = await startAgent(api, 'sleep 300');
  await awaitStatus(api, id, 'RUNNING');
  await docker('rm', '--force', await awaitContainer(id));
  const run = await awaitEnd(api, id);
  equal(run.status, 'FAILED');
  ok(run.failure.startsWith('runner_error: The container ended before its program'), run.failure);
}

export async function checkWorkerKill(deployment: RunnerDeployment): Promise<string> {
  const { api, project } = deployment;
  const id = await startAgent(api, 'sleep 300');
  await awaitStatus(api, id, 'RUNNING');
  const [worker = ''] = await project.listContainers('flow-trigger');
  await docker('kill', '--signal=KILL', worker);
  const startedAt = performance.now();
  await docker('start', worker);
  const run = await awaitEnd(api, id);
  ok(run.failure.startsWith('runner_error'), run.failure);
  await awaitNoContainer(id);
  return `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
}

/**
 * Checks the state in which the execution of a killed worker remains if a worker on another machine detects the failure
 * first.
 */
export async function checkLeftOvers({ api, workFolder }: RunnerDeployment): Promise<void> {
  const ended = (await runAgent(api, 'true')).id;
  const unknown = randomUUID();
  for (const id of [ended, unknown]) {
    mkdirSync(resolve(workFolder, id));
    await docker(
      'run',
      '--detach',
      `--name=steward-${id}`,
      `--label=steward.execution=${id}`,
      '--entrypoint=sleep',
      'node:24-bookworm',
      '600',
    );
  }
  await awaitNoContainer(ended);
  await eventually(() => !existsSync(resolve(workFolder, ended)), { timeoutMs: 30_000, intervalMs: 300 });
  equal((await listAgentContainers(unknown)).length, 1);
  ok(existsSync(resolve(workFolder, unknown)));
  await docker('rm', '--force', `steward-${unknown}`);
}
