import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import { BENCHES } from './benches.ts';

const names = Object.keys(BENCHES);
const { exit } = process;
const { log, error } = console;
afterEach(() => {
  process.exit = exit;
  Object.assign(console, { log, error });
});

/** Runs a bench with its arguments; returns its output and its exit code, which is undefined if it would continue. */
async function read(name: string, args: readonly string[]) {
  const said: string[] = [];
  let code: unknown;
  process.exit = (status) => {
    code ??= status;
    throw new Error('the process ended');
  };
  Object.assign(console, { log: (line: string) => said.push(line), error: (line: string) => said.push(line) });
  await BENCHES[name]?.readOptions(args).catch(() => undefined);
  return { code, said: said.join('\n') };
}

async function run(...args: readonly string[]) {
  const main = resolve(import.meta.dirname, 'main.ts');
  return promisify(execFile)(process.execPath, [main, ...args]).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { readonly code: number; readonly stdout: string; readonly stderr: string }) => ({
      code,
      stdout,
      stderr,
    }),
  );
}

describe('npm run bench', () => {
  it('lists every bench', () => {
    const folders = globSync(resolve(import.meta.dirname, '*/run-bench.ts')).map((file) => basename(dirname(file)));
    expect([...names].sort()).toEqual(folders.sort());
  });

  it.each(names)('%s has a help text, can be started without options, and refuses unknown options', async (name) => {
    const usage = expect.stringContaining(`npm run bench -- ${name}`) as string;
    expect(await read(name, ['--help'])).toEqual({ code: 0, said: usage });
    expect(await read(name, [])).toEqual({ code: undefined, said: '' });
    expect(await read(name, ['--no-such-option'])).toMatchObject({ code: expect.any(Number) as number, said: usage });
  });

  it('prints only the help of a bench on request', async () => {
    expect(await run('webhooks', '--help')).toEqual({
      code: 0,
      stdout: expect.stringContaining('npm run bench -- webhooks') as string,
      stderr: '',
    });
  });

  it('lists the benches for an unknown name, and prints the help without a name', async () => {
    const [unknown, help] = [await run('no-such-bench'), await run('--help')];
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('webhooks')]);
    expect([help.code, help.stdout, help.stderr]).toEqual([0, expect.stringContaining('webhooks'), '']);
  });
});
