import type { ServerSource } from './server-choices.ts';

/** What both servers are told about where they may come from. */
export interface ResolveOptions {
  /** A server that runs already (from the environment): used as it is, never stopped. */
  readonly existingUrl?: string | undefined;
  /** `docker` or `local` (binaries, installed if need be) and nothing else; `auto`: binaries, then Docker, then packages. */
  readonly source: ServerSource;
  /** Whether missing packages may be installed. Announced through `progress` first. */
  readonly allowInstall: boolean;
  /** One line for the person who waits. */
  readonly progress: (line: string) => void;
  readonly onExit?: (reason: string) => void;
}

/** How a server was come by. */
export type ServerOrigin = 'environment' | 'local' | 'docker';
