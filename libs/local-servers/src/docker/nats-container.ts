import type { NatsOptions, NatsServer } from '../nats/start-nats.ts';
import { NATS_IMAGE } from './docker.ts';
import { nameVolume } from './volumes.ts';

/** NATS with JetStream in a container, its store in a named volume. */
export async function startNatsContainer(options: NatsOptions): Promise<NatsServer> {
  options.progress(`starting ${NATS_IMAGE} with Docker`);
  const { GenericContainer, Wait } = await import('testcontainers');
  const started = await new GenericContainer(NATS_IMAGE)
    .withCommand(['-js', '-sd', '/data', ...(options.extraArguments ?? [])])
    .withExposedPorts(4222)
    .withBindMounts([{ source: nameVolume(options.dataDirectory, 'nats'), target: '/data' }])
    .withWaitStrategy(Wait.forLogMessage(/Server is ready/))
    .start();
  return {
    url: `nats://${started.getHost()}:${started.getMappedPort(4222)}`,
    origin: 'docker',
    description: `${NATS_IMAGE} in Docker`,
    pid: undefined,
    stop: async () => {
      await started.stop();
    },
    restart: () => started.restart(),
    kill: async () => {
      await started.stop({ timeout: 0, remove: false });
    },
  };
}
