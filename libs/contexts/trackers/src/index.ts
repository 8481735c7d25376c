/**
 * Trackers context: an account's connections to GitHub, GitLab, Jira and Linear, the hooks registered there for flows,
 * and a client for each of the four.
 *
 * Folders: `connections` and `hooks` contain the rows and operations; `hosts`, which both use, contains the clients.
 *
 * Not here: HTTP routes, the tracker tools of agents (only their names and descriptions are here) and the policies for
 * them, the flows that hooks start (the flows context). Used by: the API packages of trackers, agents and flows;
 * api-gateway, for the tracker tools.
 */
export { trackersMigrations } from '../migrations/index.ts';
export { trackersSealedColumns } from './sealed-columns.ts';
export { trackerSettings } from './tracker-settings.ts';
export type { HookRow, TrackerRow } from './schema.ts';
export { TRACKER_HOSTS, TRACKER_KINDS, type TrackerKind } from './hosts/hosts.ts';
export { createTrackerClient, type TrackerClient } from './hosts/tracker-client.ts';
export { refuseUnsupported, TrackerError } from './hosts/tracker-error.ts';
export type { IssuePlace, TokenFacts, TrackerAccess, TrackerHost } from './hosts/tracker-host.ts';
export type { TrackerPatch } from './connections/tracker.ts';
export { coversRepository } from './connections/rules/read-tracker-fields.ts';
export { createTracker, updateTracker } from './connections/operations/save-tracker.ts';
export { openTracker } from './connections/operations/open-tracker.ts';
export { requireRepository } from './connections/operations/require-repository.ts';
export {
  deleteTrackerRow,
  findTracker,
  listAllTrackers,
  listTrackers,
  lockTracker,
  selectTrackersRevision,
} from './connections/store/tracker.store.ts';
export {
  claimDueHook,
  DUE_HOOKS,
  claimHook,
  findHooks,
  leaveHook,
  listHookedFlows,
  renewHook,
  wishHook,
} from './hooks/store/hook.store.ts';
export { workOnHook } from './hooks/operations/work-on-hook.ts';
export {
  TRACKER_SERVER,
  TRACKER_TOOLS,
  TRACKER_TOOL_NAMES,
  listTrackerTools,
  offerTrackerTool,
  type TrackerToolName,
} from './connections/rules/tracker-tool-names.ts';
