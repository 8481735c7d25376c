/**
 * Webhooks slice: the outbox of events, endpoints with their secrets and breakers, deliveries and attempts. Producers
 * emit in their own transaction; the dispatcher claims, posts and settles.
 *
 * Not here: HTTP of any kind (routes are the gateway's, the POST is the dispatcher's), the event types (@steward/contracts).
 * Used by: api-gateway (routes, producers), flow-trigger (producer), webhook-dispatcher (owner).
 */
export { webhooksMigrations } from '../migrations/index.ts';
export { emitEvent } from './operations/emit-event.ts';
export type { EmitOptions, EmitOutcome, EmittedEvent } from './operations/emit-event.ts';
