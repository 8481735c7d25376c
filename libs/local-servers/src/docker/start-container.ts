import { isIP } from 'node:net';
import { GenericContainer, getContainerRuntimeClient, type WaitStrategy } from 'testcontainers';
import { findFreePort } from '../find-free-port.ts';
import { requireCommand, runCommand } from '../run-command.ts';

export interface ContainerOptions {
  readonly image: string;
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Files that are written into the container before it starts, readable only by its root user. */
  readonly files?: readonly { readonly path: string; readonly content: string }[];
  /**
   * Docker network, and the host name of this container for the other containers of the network; used in addition to
   * the published port.
   */
  readonly network?: { readonly name: string; readonly alias: string } | undefined;
  /** Port inside the container. */
  readonly port: number;
  readonly waitStrategy: WaitStrategy;
  /**
   * Volume that remains when the container is removed; the container is named after it. Without a volume, the data is
   * deleted with the container.
   */
  readonly volume?: { readonly name: string; readonly target: string };
  readonly stopWithinMs: number;
}

export interface RunningContainer {
  readonly host: string;
  /** Published port, which stays the same after restarts. */
  readonly port: number;
  stop(): Promise<void>;
  /** Restarts the container; resolves before the server is ready. */
  restart(): Promise<void>;
  kill(): Promise<void>;
}

/**
 * A container whose port can be published on one address instead of all addresses: some servers have no password, and
 * Docker bypasses host firewalls.
 */
class LocalContainer extends GenericContainer {
  publish(container: number, host: { readonly ip: string; readonly port: number }): this {
    this.withExposedPorts({ container, host: host.port });
    this.hostConfig.PortBindings = { [`${container}/tcp`]: [{ HostIp: host.ip, HostPort: String(host.port) }] };
    return this;
  }
}

/** Starts a container on a port that stays the same when the container is restarted. */
export async function startContainer(options: ContainerOptions): Promise<RunningContainer> {
  const { volume, network } = options;
  const port = await findFreePort();
  let container = new LocalContainer(options.image)
    .withCommand([...options.command])
    .withEnvironment({ ...options.environment })
    .withCopyContentToContainer(
      (options.files ?? []).map(({ path, content }) => ({ target: path, content, mode: 0o600 })),
    )
    .publish(options.port, { ip: await findPublishedAddress(), port })
    .withWaitStrategy(options.waitStrategy);
  if (network !== undefined) container = container.withNetworkMode(network.name).withNetworkAliases(network.alias);
  if (volume !== undefined) {
    // A container that a killed process left on this volume is stopped first: two servers would corrupt the volume
    // without noticing each other.
    await runCommand('docker', ['stop', '-t', '20', volume.name]);
    await runCommand('docker', ['rm', '--force', volume.name]);
    container = container.withName(volume.name).withBindMounts([{ source: volume.name, target: volume.target }]);
  }
  const started = await container.start().catch((error: unknown) => {
    throw new Error(
      `${options.image} could not be started with Docker: ${String(error)}\nWithout access to a registry, the images ${options.image} and testcontainers/ryuk must exist on this machine; the second one is not needed with TESTCONTAINERS_RYUK_DISABLED=true.`,
      { cause: error },
    );
  });
  return {
    host: started.getHost(),
    port,
    async stop() {
      await started.stop({ timeout: options.stopWithinMs });
    },
    // The Docker command line is used, because the `restart()` of testcontainers waits for readiness as on the first
    // start, and its `stop()` works only once per container.
    async restart() {
      await requireCommand('docker', ['restart', '-t', String(options.stopWithinMs / 1000), started.getId()]);
    },
    async kill() {
      await requireCommand('docker', ['kill', started.getId()]);
      // The Docker engine responds to the kill before the container has ended.
      await requireCommand('docker', ['wait', started.getId()]);
    },
  };
}

/** Returns the host through which this process reaches published ports. */
export async function findServerHost(): Promise<string> {
  return (await getContainerRuntimeClient()).info.containerRuntime.host;
}

/**
 * Returns the address on which ports are published. It is empty, which means all addresses, if the host of the engine
 * is known only by name.
 */
async function findPublishedAddress(): Promise<string> {
  const host = await findServerHost();
  if (host === 'localhost') return '127.0.0.1';
  return isIP(host) === 0 ? '' : host;
}
