/**
 * Broker: typed messages over NATS JetStream. Publishers and consumers name a message of the catalogue; streams, durables,
 * acknowledgement, retries and dead letters follow from its contract.
 *
 * Not here: the catalogue itself (@steward/contracts), what a message means, retries that belong to the product (rows in Postgres).
 * Used by: every app. Only `nats-client.ts` may import the NATS packages: changing the client is a change of that file.
 */
export { createBrokerHealthCheck } from './broker-health.ts';
export { BrokerUnavailableError, InvalidMessageError, PoisonMessage, RetryLater } from './broker-errors.ts';
export type { Broker } from './broker.ts';
export type { Catalogue, NameOf, PayloadOf } from './catalogue.ts';
export { connectBroker } from './connect-broker.ts';
export type { BrokerOptions } from './connect-broker.ts';
export type { Consumption } from './consumption.ts';
export { DEAD_LETTER_HEADERS } from './dead-letter.ts';
export type { MessageContext, MessageHandler } from './handle-message.ts';
export type { Published } from './publisher.ts';
export type { RetryDelay } from './settlement.ts';
