import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { useFolder } from '@steward/testing';
import { holdState } from './state-lock.ts';

describe('the lock of a state', () => {
  const folder = useFolder();
  const hold = (work: () => Promise<unknown> = () => Promise.resolve()) =>
    holdState(join(folder(), 'state.json'), work);
  const lock = (): string => join(folder(), 'state.json.lock');

  it('refuses a second apply while the first one runs, naming it, and is released afterwards, also by an error', async () => {
    await hold(async () => {
      await expect(hold()).rejects.toMatchObject({
        message: expect.stringMatching(new RegExp(`process ${process.pid} on .* since 20.*delete .*state.json.lock`)),
      });
      expect(existsSync(lock())).toBe(true);
    });
    await expect(hold(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    await hold();
    expect(existsSync(lock())).toBe(false);
  });

  it('is taken over from a command that was killed, but not from another machine', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    writeFileSync(lock(), JSON.stringify({ pid, host: hostname(), since: '2026-11-01T00:00:00Z' }));
    await hold();
    writeFileSync(lock(), JSON.stringify({ pid, host: 'another-machine', since: '2026-11-01T00:00:00Z' }));
    await expect(hold()).rejects.toMatchObject({ message: expect.stringContaining('on another-machine') });
  });

  it('is taken over if this process has the number of the command that was killed, as in containers', async () => {
    writeFileSync(lock(), JSON.stringify({ pid: process.pid, host: hostname(), since: '2020-11-01T00:00:00Z' }));
    await hold();
    expect(readdirSync(folder())).toEqual([]);
  });

  it('is not released if somebody deleted it and another apply has taken it', async () => {
    const other = JSON.stringify({ pid: 1, host: 'another-machine', since: '2026-11-01T00:00:00Z' });
    await hold(() => Promise.resolve(writeFileSync(lock(), other)));
    expect(readFileSync(lock(), 'utf8')).toBe(other);
  });
});
