import { chownSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { startChildServer, type ChildServer } from '../child-server.ts';
import { prepareDataDirectory } from '../data-directory.ts';
import { findFreePort } from '../find-free-port.ts';
import { findServerUser } from '../server-user.ts';
import { listNatsFiles } from './list-nats-files.ts';
import { probeNats } from './probe-nats.ts';
import type { NatsOptions, NatsServer } from './start-nats.ts';

const HOST = '127.0.0.1';

/** Starts a nats-server binary on a free port of the loopback address. */
export async function startLocalNats(binary: string, options: NatsOptions): Promise<NatsServer> {
  const user = await findServerUser();
  const directory = await prepareDataDirectory(options.dataDirectory, user);
  const port = await findFreePort();
  const given = listNatsFiles({ users: options.users, tls: options.tls?.(HOST) }, (name) => resolve(directory, name));
  for (const { path, content } of given.files) {
    writeFileSync(path, content, { mode: 0o600 });
    if (user !== undefined) chownSync(path, user.uid, user.gid);
  }
  const listen = ['-a', HOST, '-p', String(port)];
  const start = (): Promise<ChildServer> =>
    startChildServer({
      name: 'nats-server',
      file: binary,
      args: ['-js', '-sd', directory, ...listen, ...given.arguments, ...(options.extraArguments ?? [])],
      user,
      stopSignal: 'SIGTERM',
      // The probe reads the server's log, because another server may have bound this port first, and would respond.
      probe: (log) =>
        log.includes('Server is ready') ? probeNats(port) : Promise.reject(new Error('it is not ready')),
      ...(options.onExit === undefined ? {} : { onExit: options.onExit }),
    });
  let server = await start();
  return {
    url: `nats://${HOST}:${port}`,
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
