import { spawn } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { findFreePort } from '@steward/local-servers';
import { eventually } from '@steward/testing';
import { bundlePath } from '../build/bundle-apps.ts';
import type { Suite } from './start-suite.ts';

export interface OrdinaryWorker {
  /** Home folder of the worker's user. */
  readonly home: string;
  readonly health: () => Promise<{ readonly activity: { readonly agents: string } }>;
  stop(): Promise<void>;
}

/** User id that no machine uses. */
const UID = 64_999;

/**
 * Runs a flow worker as an ordinary user, in place of the suite's own worker. The worker's files are copied to a place
 * where that user may read them; if the caller is not root, the worker runs as the caller's user.
 */
export async function startOrdinaryWorker(
  suite: Suite,
  more: Readonly<Record<string, string>>,
): Promise<OrdinaryWorker> {
  const isRoot = process.getuid?.() === 0;
  const home = mkdtempSync(isRoot ? '/var/lib/steward-ordinary-' : resolve(suite.logDirectory, 'ordinary-'));
  const port = await findFreePort();
  copyFileSync(process.execPath, resolve(home, 'node'));
  copyFileSync(bundlePath('flow-trigger'), resolve(home, 'main.js'));
  writeFileSync(resolve(home, 'package.json'), '{"type":"module"}');
  mkdirSync(resolve(home, '.ssh'));
  writeFileSync(resolve(home, '.ssh/id_ed25519'), 'canary-of-an-ssh-key');
  const environment = { ...suite.buildEnvironment('flow-trigger', port), ...more };
  for (const [name, path] of Object.entries(environment)) {
    if (!name.endsWith('_FILE')) continue;
    environment[name] = resolve(home, name);
    copyFileSync(path, environment[name]);
  }
  const folders = { FLOW_WORK_DIR: resolve(home, 'flows'), EVIDENCE_DIR: resolve(home, 'evidence') };
  for (const path of [
    home,
    ...['node', 'main.js', 'package.json', '.ssh', '.ssh/id_ed25519'].map((name) => resolve(home, name)),
  ]) {
    chmodSync(path, 0o755);
    if (isRoot) chownSync(path, UID, UID);
  }
  for (const [name, path] of Object.entries(environment))
    if (name.endsWith('_FILE') && isRoot) chownSync(path, UID, UID);
  const former = suite.readPid('flow-trigger');
  // The suite's own worker keeps its consumer at the broker, but consumes no messages.
  if (former !== undefined) process.kill(former, 'SIGSTOP');
  let log = '';
  const child = spawn(resolve(home, 'node'), [resolve(home, 'main.js')], {
    cwd: home,
    env: { ...environment, ...folders, HOME: home },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(isRoot ? { uid: UID, gid: UID } : {}),
  });
  child.stderr.on('data', (data: Buffer) => (log += data.toString()));
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  const health = async () => {
    if (child.exitCode !== null) throw new Error(log);
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/health`);
    return (await answer.json()) as { activity: { agents: string } };
  };
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    if (former !== undefined) process.kill(former, 'SIGCONT');
    rmSync(home, { recursive: true, force: true });
  };
  try {
    await eventually(health);
  } catch (error) {
    await stop();
    throw error;
  }
  return { home, health, stop };
}
