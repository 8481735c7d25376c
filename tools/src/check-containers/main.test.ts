import { resolve } from 'node:path';
import { runProgram } from './docker.ts';

const MAIN = resolve(import.meta.dirname, 'main.ts');

it('npm run check:containers prints a message and exits with 2 if no engine responds', async () => {
  const environment = { DOCKER_HOST: 'unix:///nowhere/docker.sock', DOCKER_CONTEXT: undefined };
  const end = await runProgram([process.execPath, MAIN, '--no-build'], { environment });
  expect([end.code, end.output]).toEqual([2, expect.stringContaining('needs a Docker engine, and none responds')]);
});

it('npm run check:containers lists its areas', async () => {
  const end = await runProgram([process.execPath, MAIN, '--only', 'kubernetes']);
  expect([end.code, end.output]).toEqual([
    1,
    expect.stringContaining('available: compose, evidence, keys, runner, servers'),
  ]);
});
