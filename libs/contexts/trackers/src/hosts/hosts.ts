import { github } from './github.ts';
import { gitlab } from './gitlab.ts';
import { jira } from './jira.ts';
import { linear } from './linear.ts';
import type { TrackerHost } from './tracker-host.ts';

export const TRACKER_KINDS = ['github', 'gitlab', 'jira', 'linear'] as const;

export type TrackerKind = (typeof TRACKER_KINDS)[number];

/** Their hooks are read as the webhook source of the same name. */
export const TRACKER_HOSTS: Readonly<Record<TrackerKind, TrackerHost>> = { github, gitlab, jira, linear };
