import {
  refuseUnsupported,
  TRACKER_HOSTS,
  TrackerError,
  type IssuePlace,
  type TrackerAccess,
  type TrackerHost,
  type TrackerRow,
  type TrackerToolName,
} from '@steward/trackers';
import { findIssue, findRepository, namesIssuesByKey } from './find-place.ts';
import type { TrackerArguments } from './tracker-arguments.ts';

interface Acting {
  readonly tracker: TrackerRow;
  readonly host: TrackerHost;
  readonly access: TrackerAccess;
}

type Actions = {
  readonly [Name in TrackerToolName]: (
    acting: Acting,
    args: TrackerArguments<Name>,
  ) => Promise<Record<string, unknown>>;
};

const DEFAULT_LIMIT = 20;

export const TRACKER_ACTIONS: Actions = {
  async read_issue({ tracker, host, access }, args) {
    const place = findPlace(tracker, args);
    const found = await host.readIssue(access, place);
    requireSamePlace(tracker, place, found.issue);
    return { repository: place.repository, ...found };
  },
  async list_issues(
    { tracker, host, access },
    { repository: asked, query, state = 'open', labels = [], limit = DEFAULT_LIMIT },
  ) {
    const repository = findRepository(tracker, asked);
    return { repository, issues: await host.listIssues(access, { repository, query, state, labels, limit }) };
  },
  async read_change({ tracker, host, access }, { change, ...args }) {
    const { readChange } = host;
    if (readChange === undefined) throw refuseUnsupported(`${host.title} has no pull or merge requests.`);
    const { issue: number, repository } = findPlace(tracker, { ...args, issue: change, on: 'change' });
    const { issue, ...rest } = await readChange(access, { repository, issue: number, on: 'change' });
    return { repository, change: issue, ...rest };
  },
  async comment({ tracker, host, access }, { body, ...args }) {
    const place = await findWrittenPlace({ tracker, host, access }, args);
    return { ...describePlace(place), comment: await host.comment(access, place, body) };
  },
  add_label: (acting, args) => changeLabel(acting, args, true),
  remove_label: (acting, args) => changeLabel(acting, args, false),
  async open_issue({ tracker, host, access }, args) {
    const { title, body = '', labels = [], issue_type: issueType } = args;
    const repository = findRepository(tracker, args.repository);
    if (issueType !== undefined && tracker.kind !== 'jira')
      throw refuseUnsupported(`${host.title} has no issue types.`);
    const { id: issue, url } = await host.openIssue(access, { repository, title, body, labels, issueType });
    return { repository, issue, url };
  },
  async set_status({ tracker, host, access }, args) {
    const { sha, state, context = 'steward', description, target_url: targetUrl } = args;
    const { setStatus } = host;
    if (setStatus === undefined) throw refuseUnsupported(`${host.title} has no commits to set a status on.`);
    const repository = findRepository(tracker, args.repository);
    await setStatus(access, { repository, sha, state, context, description, targetUrl });
    return { repository, sha, state, context };
  },
};

async function changeLabel(
  acting: Acting,
  { label, ...args }: TrackerArguments<'add_label'>,
  isAdded: boolean,
): Promise<Record<string, unknown>> {
  const { host, access } = acting;
  const place = await findWrittenPlace(acting, args);
  await host.changeLabel(access, place, { label, isAdded });
  return { ...describePlace(place), label, is_there: isAdded };
}

type PlaceArguments = Pick<TrackerArguments<'comment'>, 'repository' | 'issue' | 'on'>;

function findPlace(tracker: TrackerRow, { repository, issue, on = 'issue' }: PlaceArguments): IssuePlace {
  const { title, readChange } = TRACKER_HOSTS[tracker.kind];
  if (on === 'change' && readChange === undefined) throw refuseUnsupported(`${title} has no pull or merge requests.`);
  return { ...findIssue(tracker, { repository, issue }), on };
}

/**
 * Returns the target of a write. Refuses an issue that was moved, so that nothing is written in the project that it was
 * moved to.
 */
async function findWrittenPlace({ tracker, host, access }: Acting, args: PlaceArguments): Promise<IssuePlace> {
  const place = findPlace(tracker, args);
  if (namesIssuesByKey(tracker)) requireSamePlace(tracker, place, (await host.readIssue(access, place)).issue);
  return place;
}

/**
 * Refuses an issue that was moved: the tracker still finds the issue by its old key, but the issue may now be in a
 * project that the connection does not cover.
 */
function requireSamePlace(tracker: TrackerRow, { issue, repository }: IssuePlace, found: string): void {
  if (!namesIssuesByKey(tracker)) return;
  if (found.startsWith(`${repository}-`)) return;
  throw new TrackerError(`"${issue}" is "${found}" now.`, { fault: 'not_found' });
}

function describePlace({ repository, issue, on }: IssuePlace) {
  return { repository, [on]: issue };
}
