import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '@steward/local-servers';
import { WORKSPACE_ROOT } from '../../src/workspace.ts';

export type Portkey =
  | { readonly kind: 'running'; readonly version: string; readonly url: string; stop(): void }
  | { readonly kind: 'skipped'; readonly reason: string };

/**
 * Folder of Portkey's package; it is separate, because the package is used only for the comparison and is never a
 * dependency.
 */
const FOLDER = resolve(WORKSPACE_ROOT, '.local/portkey-bench');
/** Version of Portkey's gateway, pinned, so that the comparison refers to a fixed version. */
const VERSION = '1.15.2';
const INSTALL_WITHIN_MS = 5 * 60_000;
const READY_WITHIN_MS = 30_000;

/** Installs Portkey's gateway if it is missing, and starts it as documented. */
export async function startPortkey(progress: (line: string) => void): Promise<Portkey> {
  const binary = resolve(FOLDER, 'node_modules/@portkey-ai/gateway/build/start-server.js');
  if (!existsSync(binary)) {
    progress(`installing @portkey-ai/gateway ${VERSION} into .local/portkey-bench`);
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(resolve(FOLDER, 'package.json'), JSON.stringify({ private: true }));
    const args = ['install', `@portkey-ai/gateway@${VERSION}`, '--no-audit', '--no-fund', '--omit=dev'];
    const install = spawnSync('npm', [...args, '--ignore-scripts'], {
      cwd: FOLDER,
      stdio: 'ignore',
      timeout: INSTALL_WITHIN_MS,
    });
    if (install.status !== 0 || !existsSync(binary)) return { kind: 'skipped', reason: 'npm could not install it' };
  }
  const port = await findFreePort();
  const child = spawn(process.execPath, [binary, `--port=${port}`, '--headless'], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production' },
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}`;
  const stop = (): void => void child.kill();
  for (const deadline = Date.now() + READY_WITHIN_MS; Date.now() < deadline; await delay(200)) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer !== undefined) return { kind: 'running', version: VERSION, url, stop };
  }
  stop();
  return { kind: 'skipped', reason: 'it did not come up' };
}
