import type { Tracker } from '../../api/answers.ts';

/** What the trackers are called. */
export const KINDS: Readonly<Record<Tracker['kind'], string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  jira: 'Jira',
  linear: 'Linear',
};
