import { coversRepository, TRACKER_HOSTS, TrackerError, type TrackerRow } from '@steward/trackers';

const NUMBER = /^#?(\d{1,18})$/;
const KEY = /^([A-Z][A-Z0-9_]{0,99})-\d{1,18}$/;

interface Asked {
  readonly tracker?: string | undefined;
  readonly repository?: string | undefined;
}

/**
 * Returns the connection that a call names or, if it names none, the only connection of the account.
 * @throws TrackerError
 */
export function chooseTracker(trackers: readonly TrackerRow[], { tracker: name }: Asked): TrackerRow {
  const names = trackers.map((each) => each.name).join(', ');
  const found = name === undefined ? trackers[0] : trackers.find((each) => each.name === name);
  if (found === undefined)
    throw new TrackerError(`There is no tracker "${name ?? ''}". Available: ${names}.`, { fault: 'not_found' });
  if (name === undefined && trackers.length > 1)
    throw new TrackerError(`Set "tracker" to one of: ${names}.`, { fault: 'invalid' });
  return found;
}

/** Returns the repository of a call; refuses a repository that the connection does not cover. @throws TrackerError */
export function findRepository(tracker: TrackerRow, asked: string | undefined): string {
  const [only, ...others] = tracker.repositories;
  const usual = only !== undefined && others.length === 0 && !only.endsWith('/*') ? only : undefined;
  const repository = asked ?? usual;
  const { pattern, words } = TRACKER_HOSTS[tracker.kind].repository;
  if (repository === undefined) throw new TrackerError(`Set "repository": ${words}.`, { fault: 'invalid' });
  if (!pattern.test(repository)) throw new TrackerError(`"repository" must be ${words}.`, { fault: 'invalid' });
  if (!coversRepository(tracker.repositories, repository))
    throw new TrackerError(`The tracker "${tracker.name}" does not cover "${repository}".`, { fault: 'forbidden' });
  return repository;
}

/**
 * Returns whether the tracker identifies issues by keys, as Jira and Linear do. The key of an issue contains the key of
 * its project (in Linear, of its team), and still identifies the issue after the issue was moved.
 */
export function namesIssuesByKey({ kind }: Pick<TrackerRow, 'kind'>): boolean {
  return kind === 'jira' || kind === 'linear';
}

/**
 * Returns an issue, or a change, with its repository. For Jira and Linear, the repository is the key of the project or
 * team, which is part of the key of the issue. @throws TrackerError
 */
export function findIssue(tracker: TrackerRow, { repository, issue }: Asked & { readonly issue: string }) {
  if (namesIssuesByKey(tracker)) {
    const own = KEY.exec(issue)?.[1];
    if (own === undefined)
      throw new TrackerError('An issue is identified by its key, for example OPS-42.', { fault: 'invalid' });
    if (repository !== undefined && repository !== own)
      throw new TrackerError(`"${issue}" is not an issue of "${repository}".`, { fault: 'invalid' });
    return { repository: findRepository(tracker, own), issue };
  }
  const number = NUMBER.exec(issue)?.[1];
  if (number === undefined)
    throw new TrackerError('An issue is identified by its number, for example 42.', { fault: 'invalid' });
  return { repository: findRepository(tracker, repository), issue: number };
}
