import type { Route } from '@steward/http';
import type { Component } from '@steward/process';

/** What a context brings into the process: what it answers behind a door, and what runs for that as long as the process does. */
export interface Module {
  readonly routes: readonly Route[];
  /** In the order of their start; stopped in the reverse one, after the last request. */
  readonly components: readonly Component[];
}
