import { equal, ok } from 'node:assert/strict';
import { registerVisitor, runAgent } from '../visitor.ts';
import type { Deployment } from './use.ts';

const ACCOUNTS = 3;
const RUNS_EACH = 3;

/** Checks more replicas of the workers. At the end, there is one replica of each again. */
export async function checkScale({ project }: Deployment): Promise<string> {
  const up = (workers: number): Promise<string> =>
    project.compose(
      'up',
      '--detach',
      '--wait',
      '--no-recreate',
      '--scale',
      `flow-trigger=${workers}`,
      '--scale',
      `webhook-dispatcher=${workers}`,
    );
  await up(2);
  const apis = await Promise.all(Array.from({ length: ACCOUNTS }, () => registerVisitor(project.apiUrl)));
  const runs = await Promise.all(
    apis.flatMap((api) =>
      Array.from({ length: RUNS_EACH }, () =>
        runAgent(api, `printf '{"on":"%s"}' "$(cat /proc/sys/kernel/hostname)" > result.json; sleep 2`),
      ),
    ),
  );
  for (const run of runs) equal(run.status, 'SUCCEEDED', run.failure);
  const shares = new Map<string, number>();
  for (const { result } of runs) {
    const { on } = result as { on: string };
    shares.set(on, (shares.get(on) ?? 0) + 1);
  }
  await up(1);
  ok(shares.size === 2, `all ran on ${[...shares.keys()].join()}`);
  return [...shares.values()].join(' and ');
}
