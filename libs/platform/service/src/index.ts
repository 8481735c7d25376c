/**
 * Service: what every process of the suite does before its own work: connect to the database and the broker, refuse a
 * schema that does not fit, report health, stop in order.
 *
 * Not here: anything one app does and another does not.
 * Used by: the five apps.
 */
export { assembleWorker } from './assemble-worker.ts';
export { connectService, type ServiceConnections } from './connect-service.ts';
