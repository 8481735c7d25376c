import { connect } from 'node:net';
import { findRootPrefix, installPackages } from '../apt/apt.ts';
import { startChildServer, type ChildServer } from '../child-server.ts';
import { prepareDataDirectory } from '../data-directory.ts';
import { isDockerAvailable } from '../docker/docker.ts';
import { startNatsContainer } from '../docker/nats-container.ts';
import { findFreePort } from '../find-free-port.ts';
import { withInstallLock } from '../install-lock.ts';
import { findServerUser } from '../server-user.ts';
import type { ResolveOptions, ServerOrigin } from '../server-options.ts';
import { findNatsServer } from './find-nats.ts';

export interface NatsOptions extends ResolveOptions {
  readonly dataDirectory: string;
  /** Further command line arguments, for tests of a server set up in another way. */
  readonly extraArguments?: readonly string[];
}

export interface NatsServer {
  readonly url: string;
  readonly origin: ServerOrigin;
  readonly description: string;
  readonly pid: number | undefined;
  stop(): Promise<void>;
  /** Ends and starts it again on the same port and store. */
  restart(): Promise<void>;
  /** Ends it as a crash would; `restart` brings it back. */
  kill(): Promise<void>;
}

const HOW_TO_INSTALL = `nats-server was not found. Do one of:
  - set NATS_URL to a NATS server with JetStream
  - install nats-server (Debian: apt-get install nats-server; macOS: brew install nats-server)
  - start Docker
  - on Debian or Ubuntu run as root, or with password-less sudo, without --no-install`;

/** A NATS server with JetStream, come by in the same order as Postgres. */
export async function startNats(options: NatsOptions): Promise<NatsServer> {
  if (options.existingUrl !== undefined) return useExisting(options.existingUrl);
  const binary = findNatsServer();
  if (binary !== undefined) return startLocal(binary, options);
  if (await isDockerAvailable()) return startNatsContainer(options);
  const installed = await installNats(options);
  if (installed !== undefined) return startLocal(installed, options);
  throw new Error(HOW_TO_INSTALL);
}

function useExisting(url: string): NatsServer {
  const refuse = (): Promise<never> => Promise.reject(new Error('a server of the environment is not ours to restart'));
  return {
    url,
    origin: 'environment',
    description: 'NATS of the environment',
    pid: undefined,
    stop: () => Promise.resolve(),
    restart: refuse,
    kill: refuse,
  };
}

async function installNats(options: NatsOptions): Promise<string | undefined> {
  if (!options.allowInstall) return undefined;
  const prefix = await findRootPrefix();
  if (prefix === undefined) return undefined;
  return withInstallLock(async () => {
    if (findNatsServer() === undefined) {
      options.progress('installing nats-server with apt (package nats-server)');
      await installPackages(prefix, ['nats-server']);
    }
    return findNatsServer();
  });
}

/** Starts a nats-server binary on a free port of the loopback address. */
export async function startLocal(binary: string, options: NatsOptions): Promise<NatsServer> {
  const user = await findServerUser();
  const directory = await prepareDataDirectory(options.dataDirectory, user);
  const port = await findFreePort();
  const start = (): Promise<ChildServer> =>
    startChildServer({
      name: 'nats-server',
      file: binary,
      args: ['-js', '-sd', directory, '-a', '127.0.0.1', '-p', String(port), ...(options.extraArguments ?? [])],
      user,
      stopSignal: 'SIGTERM',
      probe: () => probe(port),
      ...(options.onExit === undefined ? {} : { onExit: options.onExit }),
    });
  let server = await start();
  return {
    url: `nats://127.0.0.1:${port}`,
    origin: 'local',
    description: `nats-server in ${directory}`,
    get pid() {
      return server.pid;
    },
    stop: () => server.stop(),
    kill: () => server.kill(),
    async restart() {
      await server.stop();
      server = await start();
    },
  };
}

/** The server greets with an INFO line once it takes clients. */
function probe(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.setTimeout(2000, () => socket.destroy(new Error('no greeting')));
    socket.once('error', reject);
    socket.once('data', (data) => {
      socket.destroy();
      if (data.toString('utf8').startsWith('INFO ')) resolve();
      else reject(new Error('not a NATS server'));
    });
  });
}
