import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { WORKSPACE_ROOT } from '../../src/workspace.ts';

export interface WatchingCli {
  /** Returns the number of files that the command line has reported as sent. */
  sent(): number;
  /** Kills the process; returns its peak memory. */
  kill(): Promise<number>;
}

/** Runs `steward sessions import --watch` as a process. */
export function startWatchingCli(environment: Readonly<Record<string, string>>): WatchingCli {
  const binary = resolve(WORKSPACE_ROOT, 'tools/cli/bin/steward.js');
  const child = spawn(process.execPath, [binary, 'sessions', 'import', '--watch'], {
    env: { PATH: process.env.PATH ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  let sent = 0;
  createInterface({ input: child.stdout }).on('line', () => (sent += 1));
  const peakMb = (): number => {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
  };
  return {
    sent: () => {
      if (child.exitCode !== null) throw new Error(`the command line ended with ${child.exitCode}`);
      return sent;
    },
    async kill() {
      const peak = peakMb();
      child.kill('SIGKILL');
      await ended;
      return peak;
    },
  };
}
