/**
 * Local servers: a Postgres with pgvector and a NATS with JetStream on this machine, come by in one fixed order: the
 * environment's, local binaries as a private unprivileged server, Docker, packages installed by apt.
 *
 * Not here: migrations, the apps, test databases.
 * Used by: the local stack (`npm start`), the test set-up, the benches.
 */
export { removeDataDirectory } from './data-directory.ts';
export { findFreePort } from './find-free-port.ts';
export { startNats } from './nats/start-nats.ts';
export type { NatsOptions, NatsServer } from './nats/start-nats.ts';
export { startPostgres } from './postgres/start-postgres.ts';
export type { PostgresOptions, PostgresServer } from './postgres/start-postgres.ts';
export type { ResolveOptions, ServerOrigin } from './server-options.ts';
