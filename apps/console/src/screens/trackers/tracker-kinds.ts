import type { Tracker } from '../../api/answers.ts';

/** Names of the trackers. */
export const KINDS: Readonly<Record<Tracker['kind'], string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  jira: 'Jira',
  linear: 'Linear',
};
