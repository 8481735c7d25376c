import type { Route } from '@steward/http';
import type { Component } from '@steward/process';

/**
 * Contribution of a context to the process: its routes on a surface, and background work that runs as long as the
 * process does.
 */
export interface Module {
  readonly routes: readonly Route[];
  /** Components in start order; stopped in reverse order, after the last request. */
  readonly components: readonly Component[];
  /** Components that keep requests open until they are stopped: stopped before the server, which waits for the requests. */
  readonly streams?: readonly Component[];
}
