/**
 * API of sessions: routes, schemas and presenters of runtime sessions with their content, timeline, import and export,
 * operator notes, and their background tasks in the gateway (docs/contract/runtime-sessions.md).
 *
 * Not here: rules and SQL (`@steward/sessions`), other APIs, tests of routes, which run the whole gateway
 * (`apps/api-gateway/src/surfaces/api/sessions`). Used by: api-gateway.
 */
export { createIdleSessionLoop } from './background/idle-session-loop.ts';
export { createContentRenderer } from './content-rendering/content-renderer.ts';
export { createSessionsModule } from './module.ts';
export { openContentObjects } from './open-content-objects.ts';
