import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { endOrphans } from './end-orphans.ts';

it('ends leftover processes of a killed stack, but not an unrelated process with a reused id', async () => {
  const script = 'setInterval(() => undefined, 1000); console.log("up")';
  const children = ['left-by-the-stack', 'a-stranger'].map((name) =>
    spawn(process.execPath, ['-e', script, name], { stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  await Promise.all(children.map((child) => once(child.stdout, 'data')));
  const [left, stranger] = children as [(typeof children)[0], (typeof children)[0]];
  const ended = once(left, 'exit');
  const names = await endOrphans([
    { name: 'left', pid: left.pid ?? 0, command: 'left-by-the-stack' },
    { name: 'reused', pid: stranger.pid ?? 0, command: 'left-by-the-stack' },
    { name: 'gone', pid: 2 ** 22 + 1, command: 'left-by-the-stack' },
  ]);
  expect(names).toEqual(['left']);
  expect(await ended).toEqual([null, 'SIGTERM']);
  expect(stranger.exitCode).toBeNull();
  stranger.kill('SIGKILL');
});
