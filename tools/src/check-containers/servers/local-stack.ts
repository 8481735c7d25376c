import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, resolve } from 'node:path';
import { findFreePort, nameVolume } from '@steward/local-servers';
import { eventually, findProcesses } from '@steward/testing';
import { WORKSPACE_ROOT } from '../../workspace.ts';
import { docker, runProgram } from '../docker.ts';

const LEFT_OUT = new Set(['node_modules', '.git', '.local', '.nx', 'tmp', 'dist', 'coverage']);
const TIMEOUT_MS = 120_000;

type Kind = 'postgres' | 'nats';

export interface LocalStack {
  readonly apiUrl: string;
  readonly dataFolder: string;
  /** Starts the stack; resolves when every app is healthy. Returns how long it took. */
  start(): Promise<string>;
  /** Ends the stack; returns how long the shutdown took. */
  end(signal: NodeJS.Signals): Promise<string>;
  /** Runs `npm run reset`, and returns its exit code. */
  reset(): Promise<number>;
  listContainers(...kinds: readonly Kind[]): Promise<string[]>;
  listVolumes(): Promise<string[]>;
  /** Lists the processes of its apps, including those of earlier starts. */
  listApps(): readonly unknown[];
  remove(): Promise<void>;
}

/** Creates a copy of the stack, because a reset must not delete the data of the stack in this folder. */
export async function createLocalStack(): Promise<LocalStack> {
  const folder = mkdtempSync(resolve(tmpdir(), 'steward-check-stack-'));
  for (const name of readdirSync(WORKSPACE_ROOT).filter((entry) => !LEFT_OUT.has(entry)))
    cpSync(resolve(WORKSPACE_ROOT, name), resolve(folder, name), {
      recursive: true,
      filter: (path) => basename(path) !== 'out-tsc',
    });
  symlinkSync(resolve(WORKSPACE_ROOT, 'node_modules'), resolve(folder, 'node_modules'));
  const port = await findFreePort();
  const dataFolder = resolve(folder, '.local');
  const names = (kinds: readonly Kind[]): string[] => kinds.map((kind) => nameVolume(resolve(dataFolder, kind), kind));
  const environment = { STEWARD_LOCAL_SERVERS: 'docker', DATABASE_URL: undefined, NATS_URL: undefined };
  let child: ChildProcess | undefined;
  let said = '';

  async function end(signal: NodeJS.Signals): Promise<string> {
    const startedAt = performance.now();
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((done) => child?.once('exit', done));
      child.kill(signal);
      await ended;
    }
    return `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
  }

  const reset = async (): Promise<number> =>
    (
      await runProgram([process.execPath, resolve(folder, 'tools/src/stack/reset.ts')], {
        environment,
        directory: folder,
      })
    ).code;

  const stack: LocalStack = {
    apiUrl: `http://127.0.0.1:${port}`,
    dataFolder,
    end,
    reset,
    async start() {
      const startedAt = performance.now();
      said = '';
      const started = spawn(process.execPath, [resolve(folder, 'tools/src/stack/start.ts'), '--port', String(port)], {
        cwd: folder,
        env: { ...process.env, ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child = started;
      for (const stream of [started.stdout, started.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => (said += text));
      await eventually(() => said.includes('every app is healthy') || started.exitCode !== null, {
        timeoutMs: TIMEOUT_MS,
        intervalMs: 100,
      });
      if (started.exitCode !== null) throw new Error(`npm start ended with ${started.exitCode}:\n${said.slice(-800)}`);
      return `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
    },
    async listContainers(...kinds) {
      const wanted = names(kinds.length === 0 ? ['postgres', 'nats'] : kinds);
      const lists = await Promise.all(
        wanted.map((name) => docker('ps', '--all', '--quiet', '--filter', `volume=${name}`)),
      );
      return lists.flatMap((list) => list.split('\n')).filter((id) => id !== '');
    },
    async listVolumes() {
      const volumes = (await docker('volume', 'ls', '--quiet')).split('\n');
      return volumes.filter((name) => names(['postgres', 'nats']).includes(name));
    },
    listApps: () => findProcesses(`${folder}/dist/apps/`),
    async remove() {
      await end('SIGTERM');
      if (existsSync(dataFolder)) await reset();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return stack;
}
