import { github } from './github.ts';
import { gitlab } from './gitlab.ts';
import { jira } from './jira.ts';
import { linear } from './linear.ts';
import type { TrackerHost } from './tracker-host.ts';

export const TRACKER_KINDS = ['github', 'gitlab', 'jira', 'linear'] as const;

export type TrackerKind = (typeof TRACKER_KINDS)[number];

/**
 * Client of each kind of tracker. Requests of their hooks are parsed like those of the webhook source with the same
 * name.
 */
export const TRACKER_HOSTS: Readonly<Record<TrackerKind, TrackerHost>> = { github, gitlab, jira, linear };
