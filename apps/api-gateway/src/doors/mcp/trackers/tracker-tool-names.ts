import { TRACKER_HOSTS, type TrackerRow } from '@steward/slice-trackers';

/** What policies call the server of these tools; no tool server has the name. */
export const TRACKER_SERVER = 'tracker';

/** What agents may do at trackers, with what it does in a sentence. */
export const TRACKER_TOOLS = {
  read_issue: 'Read an issue of a tracker with its comments.',
  list_issues:
    'List the issues of a repository or project, those that were changed last first, or search them by words.',
  read_change: 'Read a pull or merge request: what it says, its branches, the head commit and the changed files.',
  comment: 'Write a comment on an issue, or on a pull or merge request.',
  add_label: 'Put a label on an issue, or on a pull or merge request.',
  remove_label: 'Take a label off an issue, or off a pull or merge request.',
  open_issue: 'Open an issue.',
  set_status: 'Set a status check on a commit (GitHub, GitLab).',
} as const;

export type TrackerToolName = keyof typeof TRACKER_TOOLS;

export const TRACKER_TOOL_NAMES = Object.keys(TRACKER_TOOLS) as readonly TrackerToolName[];

/** How agents see one. */
export const offerTrackerTool = (name: string): string => `${TRACKER_SERVER}__${name}`;

/** What at least one of these trackers can do; nothing without any. */
export function listTrackerTools(trackers: readonly Pick<TrackerRow, 'kind'>[]): readonly TrackerToolName[] {
  const has = (method: 'readChange' | 'setStatus') =>
    trackers.some(({ kind }) => TRACKER_HOSTS[kind][method] !== undefined);
  const all = trackers.length === 0 ? [] : TRACKER_TOOL_NAMES;
  return all.filter((name) => (name === 'read_change' ? has('readChange') : name !== 'set_status' || has('setStatus')));
}
