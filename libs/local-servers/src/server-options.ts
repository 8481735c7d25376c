import type { ServerSource } from './server-choices.ts';

/** Options of both servers for the choice of their sources. */
export interface ResolveOptions {
  /** A server that is already running (from the environment): used unchanged, never stopped. */
  readonly existingUrl?: string | undefined;
  /**
   * `docker` or `local` (binaries, installed if necessary) and no other source; `auto`: binaries, then Docker, then
   * packages.
   */
  readonly source: ServerSource;
  /** True if missing packages may be installed. Reported through `progress` first. */
  readonly allowInstall: boolean;
  /** Receives one line for the person who waits. */
  readonly progress: (line: string) => void;
  readonly onExit?: (reason: string) => void;
}

/** Source of a server. */
export type ServerOrigin = 'environment' | 'local' | 'docker';
