import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { newId } from '@steward/crypto';
import { eventually } from '@steward/testing';
import { createAgentCgroup, findCgroupParents } from '../runner/agent-cgroup.ts';
import { useWorker } from '../testing/use-worker.ts';

const NO_LIMITS = {
  processes: 0,
  memoryMegabytes: 0,
  openFiles: 0,
  fileMegabytes: 0,
  diskMegabytes: 0,
  cpuSeconds: 0,
};

describe('working folders of runs', () => {
  const worker = useWorker();

  it('are deleted with their control groups when the execution has ended, on any worker; those of active and unknown runs are retained', async () => {
    const ended = await worker().waitForEnd((await worker().trigger(await worker().createFlow('true'))).id);
    const running = await worker().trigger(await worker().createFlow('touch here; sleep 300'));
    const here = resolve(worker().workDirectory, running.id, 'run/workspace/here');
    await eventually(() => existsSync(here));
    const parents = findCgroupParents();
    const groups = parents === undefined ? [] : createAgentCgroup(parents, ended.id, NO_LIMITS).folders;
    // This is the state that a killed worker of this machine leaves, if another machine ended its execution.
    const [left, unknown] = [ended.id, newId()].map((id) => resolve(worker().workDirectory, id));
    for (const folder of [left, unknown]) {
      mkdirSync(resolve(folder ?? '', 'run/workspace/closed'), { recursive: true });
      writeFileSync(resolve(folder ?? '', 'run/workspace/closed/file'), 'x');
    }
    await eventually(() => !existsSync(left ?? ''));
    expect(groups.filter((folder) => existsSync(folder))).toEqual([]);
    expect([existsSync(here), existsSync(unknown ?? '')]).toEqual([true, true]);
  });
});
