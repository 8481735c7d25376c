import { spawn } from 'node:child_process';

export interface ProgramEnd {
  readonly code: number;
  readonly stdout: string;
  /** Output of both streams, in order. */
  readonly output: string;
}

export interface ProgramOptions {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly directory?: string;
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 15 * 60_000;

/** Runs a program to its end; returns its exit code and its output. */
export function runProgram(argv: readonly [string, ...string[]], options: ProgramOptions = {}): Promise<ProgramEnd> {
  const [file, ...args] = argv;
  const child = spawn(file, args, {
    cwd: options.directory,
    env: { ...process.env, ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: options.timeoutMs ?? TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  let stdout = '';
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 137, stdout, output }));
  });
}

/**
 * Returns the output of a program.
 * @throws with the last lines of the output if it fails
 */
export async function requireProgram(
  argv: readonly [string, ...string[]],
  options: ProgramOptions = {},
): Promise<string> {
  const { code, stdout, output } = await runProgram(argv, options);
  if (code === 0) return stdout.trim();
  const last = output.trim().split('\n').slice(-8).join('\n');
  throw new Error(`${argv.slice(0, 4).join(' ')} ended with ${code}:\n${last}`);
}

export function docker(...args: readonly string[]): Promise<string> {
  return requireProgram(['docker', ...args]);
}

/** Parts of the output of `docker inspect` that are used. */
export interface ContainerFacts {
  readonly Id: string;
  readonly Name: string;
  readonly Args: readonly string[];
  readonly State: { readonly Status: string; readonly ExitCode: number; readonly Health?: { readonly Status: string } };
  readonly Config: {
    readonly User: string;
    readonly Env: readonly string[];
    readonly Labels: Readonly<Record<string, string>>;
  };
  readonly HostConfig: {
    readonly ReadonlyRootfs: boolean;
    readonly LogConfig: { readonly Config: Readonly<Record<string, string>> };
    readonly Memory: number;
    readonly MemorySwap: number;
  };
  readonly NetworkSettings: {
    readonly Ports: Readonly<Record<string, readonly { readonly HostIp: string; readonly HostPort: string }[] | null>>;
    readonly Networks: Readonly<Record<string, { readonly IPAddress: string; readonly Gateway: string }>>;
  };
}

export async function inspectContainer(name: string): Promise<ContainerFacts> {
  const [facts] = JSON.parse(await docker('container', 'inspect', name)) as ContainerFacts[];
  if (facts === undefined) throw new Error(`no container ${name}`);
  return facts;
}
