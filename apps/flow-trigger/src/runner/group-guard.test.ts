import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { eventually } from '@steward/testing';
import { isAlive } from '../testing/is-alive.ts';
import { createGroupGuard } from './group-guard.ts';

/** Starts a group of two processes; returns the leader's id. */
const startGroup = (): number => {
  const child = spawn('/bin/sh', ['-c', 'sleep 300 & wait'], { detached: true, stdio: 'ignore' });
  child.unref();
  return child.pid as number;
};

const GUARD_MODULE = new URL('group-guard.ts', import.meta.url).href;

it('kills the process groups of a killed worker, but not released ones', async () => {
  const [doomed, second, released] = [startGroup(), startGroup(), startGroup()];
  const program = `
    const { createGroupGuard } = await import(${JSON.stringify(GUARD_MODULE)});
    const guard = createGroupGuard();
    for (const id of [${doomed}, ${released}, ${second}]) guard.watch(id);
    guard.release(${released});
    guard.release(1234567);
    process.stdout.write('ready');
    setInterval(() => undefined, 1000);
  `;
  const worker = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(worker.stdout, 'data');
  expect([doomed, second, released].map(isAlive)).toEqual([true, true, true]);
  worker.kill('SIGKILL');
  await eventually(() => !isAlive(doomed) && !isAlive(second));
  expect(isAlive(released)).toBe(true);
  process.kill(-released, 'SIGKILL');
});

it('kills the processes that are still registered when it is stopped', async () => {
  const guard = createGroupGuard();
  const group = startGroup();
  guard.watch(group);
  guard.stop();
  await eventually(() => !isAlive(group));
});

it('kills every process of a registered user, in any process group', async () => {
  const uid = 2_199_999;
  const child = spawn('/bin/sh', ['-c', 'setsid sleep 300 & wait'], { detached: true, uid, gid: uid, stdio: 'ignore' });
  const guard = createGroupGuard();
  guard.watchUser(uid);
  await eventually(() => listProcessesOf(uid).length === 2);
  guard.stop();
  await eventually(() => listProcessesOf(uid).length === 0);
  expect(child.pid).toBeGreaterThan(0);
});

function listProcessesOf(uid: number): string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return (
        /^\d+$/.test(name) && new RegExp(`^Uid:\\s+${uid}\\s`, 'm').test(readFileSync(`/proc/${name}/status`, 'utf8'))
      );
    } catch {
      return false;
    }
  });
}
