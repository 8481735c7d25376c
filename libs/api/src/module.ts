import type { Route } from '@steward/http';
import type { Component } from '@steward/process';

/**
 * Contribution of a context to the process: its routes on a surface, and background work that runs as long as the
 * process does.
 */
export interface Module {
  readonly routes: readonly Route[];
  /** Components in the order in which they are started; they are stopped in reverse order, after the last request. */
  readonly components: readonly Component[];
  /**
   * Components that keep requests open while they are running. These components are stopped before the server, because
   * the server waits for its open requests.
   */
  readonly streams?: readonly Component[];
}
