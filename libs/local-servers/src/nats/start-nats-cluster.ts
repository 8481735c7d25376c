import { findFreePort } from '../find-free-port.ts';
import { startNetwork, type ContainerNetwork } from '../docker/start-network.ts';
import { retryTakenPort } from '../retry-taken-port.ts';
import { chooseNats, type NatsChoice } from './choose-nats.ts';
import { startChosenNats, type NatsOptions, type NatsServer } from './start-nats.ts';

export interface NatsClusterOptions extends Omit<NatsOptions, 'dataDirectory'> {
  /** Data folders, one for each server. */
  readonly dataDirectories: readonly string[];
}

export interface NatsCluster {
  readonly servers: readonly NatsServer[];
  stop(): Promise<void>;
}

interface Member {
  readonly name: string;
  /** Listen address for the other servers. */
  readonly listen: string;
  /** Address at which the other servers reach this one. */
  readonly address: string;
}

/**
 * Starts the servers of a JetStream cluster, from the same sources as a single server, except a server set by the
 * environment.
 */
export async function startNatsCluster(options: NatsClusterOptions): Promise<NatsCluster> {
  const choice = await chooseNats(options);
  return retryTakenPort(() => startMembers(choice, options));
}

async function startMembers(
  choice: NatsChoice,
  { dataDirectories, ...options }: NatsClusterOptions,
): Promise<NatsCluster> {
  const network = choice.origin === 'docker' ? await startNetwork() : undefined;
  const names = dataDirectories.map((_directory, index) => `server-${index + 1}`);
  const members = await Promise.all(names.map((name) => placeMember(name, network)));
  const routes = members.map(({ address }) => `nats://${address}`).join(',');
  const started = await Promise.allSettled(
    members.map(({ name, listen }, index) =>
      startChosenNats(choice, {
        ...options,
        dataDirectory: dataDirectories[index] ?? '',
        network: network && { name: network.name, alias: name },
        extraArguments: [
          ...['--server_name', name, '--cluster_name', 'steward'],
          ...['--cluster', `nats://${listen}`, '--routes', routes],
          ...(options.extraArguments ?? []),
        ],
      }),
    ),
  );
  const servers = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const stop = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.stop()));
    await network?.stop();
  };
  for (const each of started) {
    if (each.status === 'fulfilled') continue;
    await stop();
    throw each.reason;
  }
  return { servers, stop };
}

async function placeMember(name: string, network: ContainerNetwork | undefined): Promise<Member> {
  if (network !== undefined) return { name, listen: '0.0.0.0:6222', address: `${name}:6222` };
  const address = `127.0.0.1:${await findFreePort()}`;
  return { name, listen: address, address };
}
