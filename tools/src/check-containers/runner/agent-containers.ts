import { readdirSync } from 'node:fs';
import { deepEqual } from 'node:assert/strict';
import { eventually } from '@steward/testing';
import { docker } from '../docker.ts';
import type { Deployment } from '../compose/use.ts';

export interface RunnerDeployment extends Deployment {
  /** Value of FLOW_WORK_DIR; the path is the same inside and outside of containers. */
  readonly workFolder: string;
}

/** Lists the containers of one execution, or of all. */
export async function listAgentContainers(executionId?: string): Promise<string[]> {
  const label = executionId === undefined ? 'steward.execution' : `steward.execution=${executionId}`;
  const list = await docker('ps', '--all', '--quiet', '--filter', `label=${label}`);
  return list.split('\n').filter((id) => id !== '');
}

/** Waits for the container of an execution, which may start a moment after the execution itself; returns its id. */
export function awaitContainer(executionId: string): Promise<string> {
  const find = async (): Promise<string | undefined> => (await listAgentContainers(executionId))[0];
  return eventually(find, { timeoutMs: 30_000, intervalMs: 200 });
}

export async function awaitNoContainer(executionId: string, timeoutMs = 30_000): Promise<void> {
  await eventually(async () => (await listAgentContainers(executionId)).length === 0, { timeoutMs, intervalMs: 300 });
}

export function listFolders(workFolder: string): string[] {
  return readdirSync(workFolder).filter((name) => /^[0-9a-f]{8}-/.test(name));
}

export async function expectNothingLeft(deployment: RunnerDeployment, executionIds: readonly string[]): Promise<void> {
  for (const id of executionIds) await awaitNoContainer(id);
  const folders = listFolders(deployment.workFolder).filter((name) => executionIds.includes(name));
  deepEqual(folders, []);
}
