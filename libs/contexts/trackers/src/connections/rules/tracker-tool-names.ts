import { TRACKER_HOSTS } from '../../hosts/hosts.ts';
import { type TrackerRow } from '../../schema.ts';

/** Server name of the tracker tools in policies; no tool server can be created with this name or renamed to it. */
export const TRACKER_SERVER = 'tracker';

/** Tracker tools for agents, each with a one-sentence description. */
export const TRACKER_TOOLS = {
  read_issue: 'Read an issue of a tracker with its comments.',
  list_issues: 'List the issues of a repository or project, most recently changed first, or search them by words.',
  read_change: 'Read a pull or merge request: its text, branches, head commit and changed files.',
  comment: 'Write a comment on an issue, or on a pull or merge request.',
  add_label: 'Add a label to an issue, or to a pull or merge request.',
  remove_label: 'Remove a label from an issue, or from a pull or merge request.',
  open_issue: 'Open an issue.',
  set_status: 'Set a status check on a commit (GitHub, GitLab).',
} as const;

export type TrackerToolName = keyof typeof TRACKER_TOOLS;

export const TRACKER_TOOL_NAMES = Object.keys(TRACKER_TOOLS) as readonly TrackerToolName[];

/** Returns the name of a tool for agents. */
export const offerTrackerTool = (name: string): string => `${TRACKER_SERVER}__${name}`;

/** Returns the tools that at least one of these trackers supports; an empty list if there are no trackers. */
export function listTrackerTools(trackers: readonly Pick<TrackerRow, 'kind'>[]): readonly TrackerToolName[] {
  const has = (method: 'readChange' | 'setStatus') =>
    trackers.some(({ kind }) => TRACKER_HOSTS[kind][method] !== undefined);
  const all = trackers.length === 0 ? [] : TRACKER_TOOL_NAMES;
  return all.filter((name) => (name === 'read_change' ? has('readChange') : name !== 'set_status' || has('setStatus')));
}
