import { spawn, type ChildProcess } from 'node:child_process';
import { bareEnvironment } from '@steward/testing';
import { BUILT_CLI } from '../build/pack-cli.ts';

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningCli {
  readonly child: ChildProcess;
  /** Returns the output so far, of both streams. */
  printed(): string;
  /** Result of the command, when it has ended; never rejects. */
  readonly ended: Promise<CliResult>;
}

export interface CliRunner {
  start(args: readonly string[], options?: CliOptions): RunningCli;
  run(args: readonly string[], options?: CliOptions): Promise<CliResult>;
  /** Returns the output of every run, so that it can be searched for secrets. */
  everything(): string;
  /** Ends all commands that are still running. */
  stop(): Promise<void>;
}

export interface CliOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Buffer;
  readonly cwd?: string;
}

/** Runs the built `steward` binary as a process that inherits only PATH from the environment of this process. */
export function createCliRunner(environment: Readonly<Record<string, string>>): CliRunner {
  let everything = '';
  const running = new Set<RunningCli>();
  const start: CliRunner['start'] = (args, { env = {}, input, cwd } = {}) => {
    const child = spawn(process.execPath, [BUILT_CLI, ...args], {
      env: { ...bareEnvironment(), ...environment, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      ...(cwd === undefined ? {} : { cwd }),
    });
    const text = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream].setEncoding('utf8').on('data', (part: string) => {
        text[stream] += part;
        everything += part;
      });
    }
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    const ended = new Promise<CliResult>((resolvePromise) => {
      child.once('close', (code) => {
        running.delete(cli);
        resolvePromise({ code, ...text });
      });
    });
    const cli: RunningCli = { child, ended, printed: () => text.stdout + text.stderr };
    running.add(cli);
    return cli;
  };
  return {
    start,
    run: (args, options) => start(args, options).ended,
    everything: () => everything,
    async stop() {
      for (const { child } of running) child.kill('SIGKILL');
      await Promise.all([...running].map(({ ended }) => ended));
    },
  };
}
