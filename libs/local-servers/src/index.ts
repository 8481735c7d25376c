/**
 * Local servers: a Postgres with pgvector and a NATS with JetStream on this machine. The first available source is
 * used: a server set by the environment, local binaries (started as a private unprivileged server), Docker, packages
 * installed by apt. The package also starts PgBouncer and Prometheus, and finds or installs Chromium.
 *
 * Not here: migrations, the apps, test databases. Used by: the local stack (`npm start`), tests, benchmarks and other
 * tools.
 */
export { placeDirectory, removeDataDirectory } from './data-directory.ts';
export { nameVolume } from './docker/volumes.ts';
export { ensureChromium } from './chromium/ensure-chromium.ts';
export { ensurePrograms } from './ensure-programs.ts';
export { hasNodePackages, installDevelopmentPackages, installNodePackages } from './node-packages.ts';
export { findFreePort } from './find-free-port.ts';
export { startNats, type NatsOptions, type NatsServer } from './nats/start-nats.ts';
export { startNatsCluster, type NatsCluster } from './nats/start-nats-cluster.ts';
export type { NatsTls } from './nats/list-nats-files.ts';
export { renderNatsConfig, type NatsUser } from './nats/render-nats-config.ts';
export { startPgBouncer, type PgBouncer } from './pgbouncer/start-pgbouncer.ts';
export { startPostgres, type PostgresOptions, type PostgresServer } from './postgres/start-postgres.ts';
export { startReplicatedPostgres, type ReplicatedPostgres } from './postgres/start-replicated-postgres.ts';
export { ensurePrometheus, startPrometheus, type PrometheusServer } from './prometheus/start-prometheus.ts';
export { makeScratchDirectory, removeOwnScratch, removeStaleScratch } from './scratch-directory.ts';
export { readServerChoices, type ServerSource } from './server-choices.ts';
export type { ResolveOptions, ServerOrigin } from './server-options.ts';
