import { installDockerClient } from './docker-client.ts';

export interface ContainerNetwork {
  readonly name: string;
  stop(): Promise<void>;
}

/** Creates a network in which containers find each other by name. */
export async function startNetwork(): Promise<ContainerNetwork> {
  installDockerClient();
  const { Network } = await import('testcontainers');
  const started = await new Network().start();
  return { name: started.getName(), stop: async () => void (await started.stop()) };
}
