import { equal, ok } from 'node:assert/strict';
import { runAgent } from '../visitor.ts';
import type { RunnerDeployment } from './agent-containers.ts';

async function useImage({ project }: RunnerDeployment, image: string): Promise<void> {
  project.set({ FLOW_DOCKER_IMAGE: image });
  await project.compose('up', '--detach', '--wait', '--no-deps', 'flow-trigger');
}

export async function checkMissingImage(deployment: RunnerDeployment): Promise<string> {
  await useImage(deployment, 'steward/no-such-image:1');
  const run = await runAgent(deployment.api, 'true');
  equal(run.status, 'FAILED');
  ok(run.failure.startsWith('runner_error'), run.failure);
  ok(run.failure.includes('no-such-image') && !run.failure.includes('--help'), run.failure);
  return run.failure;
}
