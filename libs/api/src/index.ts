/**
 * API: code that the routes of several contexts and the other surfaces of the gateway share: access checks, audits of
 * reads, reads from a replica, limits on open requests and large bodies, cursors and times, masked addresses, sealed
 * secrets, and the schemas that several contexts use.
 *
 * Not here: rules of a context, SQL, routes. Used by: the APIs of the contexts (`libs/contexts/<context>/api`),
 * api-gateway.
 */
export { readApprovalOptions, refuseSave, type ApprovalOptionsDeps } from './approval-options.ts';
export { createAuditQueue, type AuditQueue } from './audits/audit-queue.ts';
export { noteDenied, noteRead, type ReadDeps } from './audits/note-read.ts';
export { createReadAudits, type ReadAudits } from './audits/read-audits.ts';
export { createAgentActivity, type AgentActivity } from './auth/agent-activity.ts';
export { readsOriginals, type ContentReader } from './auth/reads-originals.ts';
export { requireLogin } from './auth/require-login.ts';
export { requireReach } from './auth/require-reach.ts';
export { requireUnlimited } from './auth/require-unlimited.ts';
export { createFindAgentKind, createFindKind, type FindAgentKind } from './find-agent-kind.ts';
export { hideAddress, hidePath, readStored, refuseHidden, showAddress } from './hide-address.ts';
export { buildAddressKey } from './limits/address-key.ts';
export { createLargeBodyGate, guessSize, readDeclaredSize, type LargeBodyGate } from './limits/large-body-gate.ts';
export { createOpenRequests, type OpenRequests, type OpenRequestsDeps } from './limits/open-requests.ts';
export { createTokenBuckets, type TokenBuckets } from './limits/token-buckets.ts';
export { literals } from './literals.ts';
export type { Module } from './module.ts';
export { onReplica, type ReadingDeps, type ReplicaDeps } from './on-replica.ts';
export { DEFAULT_PUBLIC_URL } from './public-url.ts';
export { readAgentFilter } from './read-agent-filter.ts';
export { readSentTool } from './read-sent-tool.ts';
export { readTime, readTimeBounds } from './read-time.ts';
export { renderAuthor } from './render-author.ts';
export { requireFound } from './require-found.ts';
export { requireProviderTarget } from './require-provider-target.ts';
export { requirePushTarget, requireTarget, type WebhookSettings } from './require-webhook-target.ts';
export { createSealAddresses } from './seal-addresses.ts';
export { createSecretBoxes, type SecretBoxes } from './secret-boxes.ts';
export { cutWhenStalled, sendLines } from './send-lines.ts';
export { SESSION_LINK, linkSession, type LinkSettings } from './session-link.ts';
export { SessionParams } from './session-params.ts';
export { listSearchPermissions } from './session-search/list-search-permissions.ts';
export { presentSearchAnswer } from './session-search/present-search-answer.ts';
export { readAskedSearch, readFilters, readSearchRequest } from './session-search/read-search-request.ts';
export { FILTER_NAMES, FiltersSchema, SearchAnswerSchema, SearchBodySchema } from './session-search/search-schemas.ts';
export {
  CHUNK_PLACE,
  SESSION_HEADING,
  describeDegraded,
  presentHeading,
  presentPlace,
} from './session-search/session-heading.ts';
export { findOversizedText, refuseOversizedText } from './text-limit.ts';
export { buildTimelineCursor, findNextCursor, readTimelineCursor, type TimelinePlace } from './timeline-cursor.ts';
export { TrackerRepository } from './tracker-repository.ts';
