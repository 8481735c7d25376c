export interface ContainerNetwork {
  readonly name: string;
  stop(): Promise<void>;
}

/** Creates a network in which containers find each other by name. */
export async function startNetwork(): Promise<ContainerNetwork> {
  // Loaded on demand: the client is large and most machines never need it.
  const { Network } = await import('testcontainers');
  const started = await new Network().start();
  return { name: started.getName(), stop: async () => void (await started.stop()) };
}
