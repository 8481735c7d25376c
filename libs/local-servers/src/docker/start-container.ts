import { isIP } from 'node:net';
import { GenericContainer, getContainerRuntimeClient, type WaitStrategy } from 'testcontainers';
import { findFreePort } from '../find-free-port.ts';
import { requireCommand, runCommand } from '../run-command.ts';

export interface ContainerOptions {
  readonly image: string;
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Written into the container before it starts, for its root user alone. */
  readonly files?: readonly { readonly path: string; readonly content: string }[];
  /** Beside the usual way in: where other containers find it, and by what name. */
  readonly network?: { readonly name: string; readonly alias: string } | undefined;
  /** Port inside the container. */
  readonly port: number;
  readonly waitStrategy: WaitStrategy;
  /** A volume that outlives the container, which is named after it. Without one the data goes with the container. */
  readonly volume?: { readonly name: string; readonly target: string };
  readonly stopWithinMs: number;
}

export interface RunningContainer {
  readonly host: string;
  /** Stays the same over restarts. */
  readonly port: number;
  stop(): Promise<void>;
  /** Resolves before the server answers. */
  restart(): Promise<void>;
  kill(): Promise<void>;
}

/** Published for this machine alone: the servers have no or only a local password, and Docker goes past host firewalls. */
class LocalContainer extends GenericContainer {
  publish(container: number, host: { readonly ip: string; readonly port: number }): this {
    this.withExposedPorts({ container, host: host.port });
    this.hostConfig.PortBindings = { [`${container}/tcp`]: [{ HostIp: host.ip, HostPort: String(host.port) }] };
    return this;
  }
}

/** Starts a container on a port that it keeps when it is restarted. */
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
    // Two servers on one volume would ruin it, and neither notices the other: what a killed run left behind is ended first.
    await runCommand('docker', ['stop', '-t', '20', volume.name]);
    await runCommand('docker', ['rm', '--force', volume.name]);
    container = container.withName(volume.name).withBindMounts([{ source: volume.name, target: volume.target }]);
  }
  const started = await container.start().catch((error: unknown) => {
    throw new Error(
      `${options.image} could not be started with Docker: ${String(error)}\nWithout a registry both ${options.image} and testcontainers/ryuk have to be there, or TESTCONTAINERS_RYUK_DISABLED=true be set.`,
      { cause: error },
    );
  });
  return {
    host: started.getHost(),
    port,
    async stop() {
      await started.stop({ timeout: options.stopWithinMs });
    },
    // By the client: restart() waits as the first start did, and stop() works once per container.
    async restart() {
      await requireCommand('docker', ['restart', '-t', String(options.stopWithinMs / 1000), started.getId()]);
    },
    async kill() {
      await requireCommand('docker', ['kill', started.getId()]);
      // The engine answers before the container has ended.
      await requireCommand('docker', ['wait', started.getId()]);
    },
  };
}

/** The host by which this process reaches published ports. */
export async function findServerHost(): Promise<string> {
  return (await getContainerRuntimeClient()).info.containerRuntime.host;
}

/** The address to publish at: a remote engine publishes on all of its own. */
async function findPublishedAddress(): Promise<string> {
  const host = await findServerHost();
  if (host === 'localhost') return '127.0.0.1';
  return isIP(host) === 0 ? '' : host;
}
