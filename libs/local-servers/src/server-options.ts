import type { ServerSource } from './server-choices.ts';

/** Options for choosing the source of a Postgres or NATS server. */
export interface ResolveOptions {
  /** URL of a server that is already running (from the environment); it is used unchanged and never stopped. */
  readonly existingUrl?: string | undefined;
  /**
   * `docker` or `local` (binaries, installed if necessary) allows no other source; `auto` tries binaries, then Docker,
   * then packages.
   */
  readonly source: ServerSource;
  /** True if missing packages may be installed. An installation is first reported through `progress`. */
  readonly allowInstall: boolean;
  /** Receives one-line progress messages for the user. */
  readonly progress: (line: string) => void;
  readonly onExit?: (reason: string) => void;
}

/** Source of a server. */
export type ServerOrigin = 'environment' | 'local' | 'docker';
