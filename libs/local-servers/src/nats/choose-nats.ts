import { findRootPrefix, installPackages } from '../apt/apt.ts';
import { mayUseDocker } from '../docker/docker.ts';
import { withInstallLock } from '../install-lock.ts';
import type { ResolveOptions } from '../server-options.ts';
import { findNatsServer } from './find-nats.ts';

/** Source from which a server is started. */
export type NatsChoice = { readonly origin: 'local'; readonly binary: string } | { readonly origin: 'docker' };

const HOW_TO_INSTALL = `nats-server was not found. Do one of:
  - set NATS_URL to a NATS server with JetStream
  - install nats-server (Debian: apt-get install nats-server; macOS: brew install nats-server)
  - start Docker
  - on Debian or Ubuntu run as root, or with password-less sudo, without --no-install`;

/**
 * Chooses the source of a NATS server, in the same order as for Postgres.
 * @throws an error that states the required action if no source is available
 */
export async function chooseNats(options: ResolveOptions): Promise<NatsChoice> {
  const found = options.source === 'docker' ? undefined : findNatsServer();
  if (found !== undefined) return { origin: 'local', binary: found };
  if (await mayUseDocker(options)) return { origin: 'docker' };
  const installed = await installNats(options);
  if (installed !== undefined) return { origin: 'local', binary: installed };
  throw new Error(HOW_TO_INSTALL);
}

async function installNats(options: ResolveOptions): Promise<string | undefined> {
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
