import { spawn } from 'node:child_process';
import { bundlePath } from '../build/bundle-apps.ts';
import type { AppName } from '../workspace.ts';

export interface Ended {
  readonly code: number | null;
  readonly stderr: string;
  readonly seconds: number;
}

/** Runs an app that is expected to fail at startup. */
export function runToEnd(app: AppName, environment: Readonly<Record<string, string>>): Promise<Ended> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [bundlePath(app)], {
      env: { ...environment },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
    // The event `exit` is not used, because output may still arrive after it.
    child.once('close', (code) =>
      resolve({ code, stderr: stderr.trim(), seconds: (performance.now() - startedAt) / 1000 }),
    );
  });
}
