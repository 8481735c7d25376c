import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '@steward/local-servers';
import { WORKSPACE_ROOT } from '../../src/workspace.ts';

export type N8n =
  | { readonly kind: 'running'; readonly version: string; readonly webhookUrl: string; stop(): Promise<void> }
  | { readonly kind: 'skipped'; readonly reason: string };

/** Folder of n8n; it is separate, because n8n is used only for the comparison and is never a dependency. */
const FOLDER = resolve(WORKSPACE_ROOT, '.local/n8n-bench');
/**
 * Manifest of the folder. n8n downloads `xlsx` from its own host, which many networks cannot reach; a webhook node does
 * not need it.
 */
const MANIFEST = { private: true, overrides: { xlsx: '0.18.5' } };
/** Version of n8n, pinned, so that the comparison refers to a specific version. */
const VERSION = '1.123.81';
const INSTALL_WITHIN_MS = 10 * 60_000;
const READY_WITHIN_MS = 120_000;

/**
 * Workflow of one webhook node that responds immediately: the counterpart of an accepted trigger. n8n stores the
 * execution in SQLite.
 */
const WORKFLOW = {
  id: 'stewardbench0001',
  name: 'bench',
  active: true,
  nodes: [
    {
      parameters: { httpMethod: 'POST', path: 'bench', responseMode: 'onReceived', options: {} },
      id: '5f1f5c0e-0000-4000-8000-000000000001',
      name: 'Webhook',
      type: 'n8n-nodes-base.webhook',
      typeVersion: 2,
      position: [0, 0],
      webhookId: '5f1f5c0e-0000-4000-8000-000000000002',
    },
    {
      parameters: {},
      id: '5f1f5c0e-0000-4000-8000-000000000003',
      name: 'Done',
      type: 'n8n-nodes-base.noOp',
      typeVersion: 1,
      position: [200, 0],
    },
  ],
  connections: { Webhook: { main: [[{ node: 'Done', type: 'main', index: 0 }]] } },
  settings: {},
};

/** Installs n8n if it is missing, and starts it with a new database and one active webhook. */
export async function startN8n(progress: (line: string) => void): Promise<N8n> {
  const binary = resolve(FOLDER, 'node_modules/n8n/bin/n8n');
  if (!existsSync(binary)) {
    progress(`installing n8n ${VERSION} into .local/n8n-bench (up to 10 minutes)`);
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(resolve(FOLDER, 'package.json'), JSON.stringify(MANIFEST));
    const install = spawnSync('npm', ['install', `n8n@${VERSION}`, '--no-audit', '--no-fund', '--omit=dev'], {
      cwd: FOLDER,
      stdio: 'ignore',
      timeout: INSTALL_WITHIN_MS,
    });
    if (install.status !== 0 || !existsSync(binary))
      return {
        kind: 'skipped',
        reason: `npm could not install it (${install.signal ?? `exit code ${install.status}`})`,
      };
  }
  const home = mkdtempSync(resolve(tmpdir(), 'steward-bench-n8n-'));
  const port = await findFreePort();
  const brokerPort = await findFreePort();
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    N8N_USER_FOLDER: home,
    N8N_PORT: String(port),
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    N8N_RUNNERS_BROKER_PORT: String(brokerPort),
    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    N8N_TEMPLATES_ENABLED: 'false',
    N8N_LOG_LEVEL: 'warn',
    NODE_ENV: 'production',
  };
  writeFileSync(resolve(home, 'workflow.json'), JSON.stringify([WORKFLOW]));
  const n8n = (...args: string[]) =>
    spawnSync(process.execPath, [binary, ...args], { env, encoding: 'utf8', timeout: READY_WITHIN_MS });
  const imported = n8n('import:workflow', `--input=${resolve(home, 'workflow.json')}`);
  // The first command is that of newer versions, the second that of older ones.
  const published = n8n('publish:workflow', `--id=${WORKFLOW.id}`);
  if (published.status !== 0) n8n('update:workflow', `--id=${WORKFLOW.id}`, '--active=true');
  const child = spawn(process.execPath, [binary, 'start'], { env, stdio: 'ignore' });
  const webhookUrl = `http://127.0.0.1:${port}/webhook/bench`;
  const stop = async (): Promise<void> => {
    await endProcess(child);
    rmSync(home, { recursive: true, force: true });
  };
  if (await answers(webhookUrl)) return { kind: 'running', version: VERSION, webhookUrl, stop };
  await stop();
  return { kind: 'skipped', reason: `it did not come up (${(imported.stderr || published.stderr || '').slice(-300)})` };
}

async function answers(url: string): Promise<boolean> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (Date.now() < deadline) {
    const response = await fetch(url, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    }).catch(() => undefined);
    if (response?.status === 200) return true;
    await delay(500);
  }
  return false;
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  child.kill('SIGTERM');
  const killer = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await ended;
  clearTimeout(killer);
}
