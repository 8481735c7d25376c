/**
 * Broker: typed messages over NATS JetStream. Publishers and consumers refer to a message of the catalog by name;
 * streams, durable consumers, acknowledgements, retries and dead letters are derived from its contract.
 *
 * Not here: the catalog itself (@steward/contracts), the meaning of a message, retries of product features (rows in
 * Postgres). Used by: the service library, which connects every app except the console; the apps that publish or
 * consume messages; the tool that sets up the streams. Only the folder `nats` may import the NATS packages, so a change
 * of the client affects only that folder.
 */
export { createBrokerHealthCheck } from './broker-health.ts';
export type { Broker } from './broker.ts';
export type { Catalogue, NameOf, PayloadOf } from './catalogue.ts';
export { connectBroker, type BrokerOptions } from './connect-broker.ts';
export type { Consumption } from './consumption.ts';
export type { MessageContext, MessageHandler } from './handle-message.ts';
export type { StreamBacklog } from './nats/nats-types.ts';
export type { Published } from './publisher.ts';
export type { RetryDelay } from './settlement.ts';
