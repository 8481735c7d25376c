import type { NatsNetwork, NatsOptions, NatsServer } from '../nats/start-nats.ts';
import { probeNats } from '../nats/probe-nats.ts';
import { waitForAnswer } from '../wait-for-answer.ts';
import { listNatsFiles } from '../nats/list-nats-files.ts';
import { installDockerClient } from './docker-client.ts';
import { NATS_IMAGE } from './docker.ts';
import { nameVolume } from './volumes.ts';

/** Starts NATS with JetStream in a container; a durable server keeps its store in a named volume. */
export async function startNatsContainer(
  options: NatsOptions & { readonly network?: NatsNetwork | undefined },
): Promise<NatsServer> {
  options.progress(`starting ${NATS_IMAGE} with Docker`);
  installDockerClient();
  const [{ Wait }, { findServerHost, startContainer }] = await Promise.all([
    import('testcontainers'),
    import('./start-container.ts'),
  ]);
  const tls = options.tls?.(await findServerHost());
  const given = listNatsFiles({ users: options.users, tls }, (name) => `/etc/nats/${name}`);
  const container = await startContainer({
    image: NATS_IMAGE,
    command: ['-js', '-sd', '/data', ...given.arguments, ...(options.extraArguments ?? [])],
    files: given.files,
    network: options.network,
    port: 4222,
    waitStrategy: Wait.forLogMessage(/Server is ready/),
    stopWithinMs: options.durable ? 10_000 : 0,
    ...(options.durable ? { volume: { name: nameVolume(options.dataDirectory, 'nats'), target: '/data' } } : {}),
  });
  // The server logs that it is ready before the published port is forwarded, so the port is probed, too.
  const answers = (): Promise<void> => waitForAnswer(() => probeNats(container.port, container.host));
  await answers();
  return {
    url: `nats://${container.host}:${container.port}`,
    origin: 'docker',
    description: `${NATS_IMAGE} in Docker`,
    pid: undefined,
    stop: () => container.stop(),
    async restart() {
      await container.restart();
      await answers();
    },
    kill: () => container.kill(),
  };
}
