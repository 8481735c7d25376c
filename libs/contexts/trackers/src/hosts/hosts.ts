import { github } from './github.ts';
import { gitlab } from './gitlab.ts';
import { jira } from './jira.ts';
import { linear } from './linear.ts';
import type { TrackerHost } from './tracker-host.ts';

export const TRACKER_KINDS = ['github', 'gitlab', 'jira', 'linear'] as const;

export type TrackerKind = (typeof TRACKER_KINDS)[number];

/**
 * Clients by kind of tracker. A request that a hook sends is parsed like a request from the webhook source with the
 * same name as the kind.
 */
export const TRACKER_HOSTS: Readonly<Record<TrackerKind, TrackerHost>> = { github, gitlab, jira, linear };
