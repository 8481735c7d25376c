import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import { BENCHES } from './benches.ts';

const names = Object.keys(BENCHES);

async function run(...args: readonly string[]) {
  const main = resolve(import.meta.dirname, 'main.ts');
  const {
    code = 0,
    stdout,
    stderr,
  } = await promisify(execFile)(process.execPath, [main, ...args]).then(
    (output) => ({ ...output, code: 0 }),
    (error: { readonly code: number; readonly stdout: string; readonly stderr: string }) => error,
  );
  return { code, stdout, stderr };
}

describe('npm run bench', () => {
  it('knows every bench there is', () => {
    const folders = globSync(resolve(import.meta.dirname, '*/run-bench.ts')).map((file) => basename(dirname(file)));
    expect([...names].sort()).toEqual(folders.sort());
  });

  it.each(names)('%s --help prints the help and does nothing else', async (name) => {
    const { code, stdout, stderr } = await run(name, '--help');
    expect([code, stderr, stdout.split('\n')[0]]).toEqual([0, '', expect.stringContaining(`npm run bench -- ${name}`)]);
  });

  it.each(names)('%s refuses an option that it does not have', async (name) => {
    const { code, stdout, stderr } = await run(name, '--no-such-option');
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(`npm run bench -- ${name}`)]);
  });

  it('says which benches there are where the name is none of them, and helps without one', async () => {
    const [unknown, help] = [await run('no-such-bench'), await run('--help')];
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('webhooks')]);
    expect([help.code, help.stdout, help.stderr]).toEqual([0, expect.stringContaining('webhooks'), '']);
  });
});
