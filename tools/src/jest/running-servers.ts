import type { PostgresServer } from '@steward/local-servers';

const KEY = Symbol.for('steward.test-servers');

/** The servers of this run, kept where set-up and tear-down both find them: jest loads the two as separate modules. */
export function keepServers(postgres: PostgresServer): void {
  (globalThis as Record<symbol, unknown>)[KEY] = postgres;
}

export function takeServers(): PostgresServer | undefined {
  const servers = (globalThis as Record<symbol, unknown>)[KEY] as PostgresServer | undefined;
  Reflect.deleteProperty(globalThis, KEY);
  return servers;
}
