/**
 * Declares the used parts of the package in this folder's package.json, so that types can be checked where the package
 * is not installed.
 */
declare module 'testcontainers' {
  /** Condition under which a container is ready. */
  export interface WaitStrategy {
    withStartupTimeout(milliseconds: number): WaitStrategy;
  }

  export const Wait: {
    forSuccessfulCommand(command: string): WaitStrategy;
    forLogMessage(message: RegExp): WaitStrategy;
  };

  interface StartedContainer {
    getId(): string;
    getHost(): string;
    stop(options: { readonly timeout: number }): Promise<unknown>;
  }

  export class GenericContainer {
    constructor(image: string);
    protected hostConfig: { PortBindings?: Readonly<Record<string, readonly object[]>> };
    withCommand(command: string[]): this;
    withEnvironment(environment: Readonly<Record<string, string>>): this;
    withCopyContentToContainer(files: { target: string; content: string; mode: number }[]): this;
    withExposedPorts(...ports: { container: number; host: number }[]): this;
    withWaitStrategy(strategy: WaitStrategy): this;
    withNetworkMode(name: string): this;
    withNetworkAliases(...aliases: string[]): this;
    withName(name: string): this;
    withBindMounts(mounts: { source: string; target: string }[]): this;
    start(): Promise<StartedContainer>;
  }

  export class Network {
    start(): Promise<{ getName(): string; stop(): Promise<unknown> }>;
  }

  export function getContainerRuntimeClient(): Promise<{
    readonly info: { readonly containerRuntime: { readonly host: string } };
  }>;
}
