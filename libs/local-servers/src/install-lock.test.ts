import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { withInstallLock, withInstallLockSync } from './install-lock.ts';

const MODULE = resolve(import.meta.dirname, 'install-lock.ts');

/** Starts another process that requests the lock, and runs the given code when it holds the lock. */
const ask = (code: string) =>
  spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { writeSync } from 'node:fs';
       const { withInstallLock, withInstallLockSync } = await import(${JSON.stringify(MODULE)});
       writeSync(1, 'asked');
       ${code}`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );

describe('the lock of installations', () => {
  it('makes another process wait until it is released', async () => {
    let output = '';
    const other = await withInstallLock(async () => {
      const started = ask(`withInstallLockSync(() => writeSync(1, ' taken'));`);
      started.stdout.on('data', (data: Buffer) => (output += data.toString()));
      await once(started.stdout, 'data');
      return started;
    });
    expect(output).toBe('asked');
    await once(other, 'close');
    expect(output).toBe('asked taken');
  });

  it('is taken over from a process that has ended', async () => {
    const other = ask(
      `await withInstallLock(async () => { writeSync(1, ' taken'); process.kill(process.pid, 'SIGKILL'); });`,
    );
    let output = '';
    other.stdout.on('data', (data: Buffer) => (output += data.toString()));
    await once(other, 'close');
    expect(output).toBe('asked taken');
    expect(withInstallLockSync(() => 'done')).toBe('done');
  });
});
