/**
 * API of sessions: routes, schemas and presenters for runtime sessions (their content, timeline, import and export) and
 * for operator notes, and the background tasks for these in the gateway (docs/contract/runtime-sessions.md).
 *
 * Not here: rules and SQL (`@steward/sessions`). The tests of the routes run the whole gateway and are in
 * `apps/api-gateway/src/surfaces/api/sessions`. Used by: api-gateway.
 */
export { createIdleSessionLoop } from './background/idle-session-loop.ts';
export { createContentRenderer } from './content-rendering/content-renderer.ts';
export { createSessionsModule } from './module.ts';
export { openContentObjects } from './open-content-objects.ts';
