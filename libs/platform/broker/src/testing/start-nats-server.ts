import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A real nats-server that a test may kill and start again on the same port with the same files. */
export interface NatsServer {
  readonly url: string;
  readonly port: number;
  /** Starts it again after `kill`, and waits until it accepts connections. */
  start(): Promise<void>;
  /** SIGKILL: what a crash looks like to its clients. */
  kill(): Promise<void>;
  /** Stops the process without ending it: connections stay open and nobody answers. */
  pause(): void;
  resume(): void;
  /** Ends it and deletes its files. */
  remove(): Promise<void>;
}

/** Debian keeps the binary in a directory that is not on an ordinary user's PATH. */
const SEARCH_PATH = `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/local/sbin`;

const started: NatsServer[] = [];
// Registered by importing this file: a failed test must not leave a server behind.
afterAll(() => Promise.all(started.splice(0).map((server) => server.remove())));

export async function startNatsServer(options: { readonly jetStream?: boolean; readonly args?: readonly string[] } = {}): Promise<NatsServer> {
  const port = await findFreePort();
  const directory = await mkdtemp(join(tmpdir(), 'steward-nats-'));
  const storage = options.jetStream === false ? [] : ['-js', '-sd', directory];
  let child: ChildProcess | undefined;

  async function kill(): Promise<void> {
    const ending = child;
    child = undefined;
    if (ending === undefined || ending.exitCode !== null) return;
    const exited = new Promise((resolve) => ending.once('exit', resolve));
    ending.kill('SIGKILL');
    await exited;
  }

  const server: NatsServer = {
    url: `nats://127.0.0.1:${port}`,
    port,
    async start() {
      const args = ['-a', '127.0.0.1', '-p', String(port), ...storage, ...(options.args ?? [])];
      child = spawn('nats-server', args, { stdio: 'ignore', env: { ...process.env, PATH: SEARCH_PATH } });
      const failed = new Promise<never>((_, reject) => child?.once('error', reject));
      await Promise.race([waitUntilListening(port), failed]);
    },
    kill,
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    async remove() {
      await kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
  started.push(server);
  await server.start();
  return server;
}

export async function findFreePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** The server greets every connection with INFO as soon as it is ready. */
async function waitUntilListening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (await isListening(port)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`nats-server did not listen on ${port} in 10 s`);
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (ready: boolean): void => {
      socket.destroy();
      resolve(ready);
    };
    socket.once('data', () => end(true));
    socket.once('error', () => end(false));
  });
}
