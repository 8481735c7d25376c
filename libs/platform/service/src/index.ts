/**
 * Service: common start of every process: connect to the database and the broker, refuse a schema that does not match,
 * report health, stop in order.
 *
 * Not here: anything specific to one app. Used by: the five apps.
 */
export { assembleWorker } from './assemble-worker.ts';
export { connectService, type ServiceConnections } from './connect-service.ts';
