/**
 * Service: the common start and stop of every process. It connects to the database and the broker, refuses a schema
 * that does not match, reports health, and stops the components in order.
 *
 * Not here: anything specific to one app. Used by: the five apps.
 */
export { assembleWorker } from './assemble-worker.ts';
export { connectService, type ServiceConnections } from './connect-service.ts';
