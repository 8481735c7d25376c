import { coversRepository } from '../connections/rules/read-tracker-fields.ts';
import { TRACKER_HOSTS, type TrackerKind } from './hosts.ts';
import type { TrackerAccess, TrackerRequest } from './tracker-host.ts';

describe('the events of a registered hook (TRK-7)', () => {
  it.each<[TrackerKind, string[], readonly string[]]>([
    ['github', [], ['*']],
    ['github', ['pull_request.opened', 'pull_request.closed', 'push'], ['pull_request', 'push']],
    ['gitlab', ['Merge Request Hook', 'merge_request.open', 'push'], ['merge_requests_events', 'push_events']],
    ['jira', ['jira:issue_created', 'issue_assigned'], ['jira:issue_created', 'jira:issue_updated']],
    ['linear', ['Issue.create', 'Issue', 'Comment'], ['Issue', 'Comment']],
  ])('of %s with %j is %j', (kind, types, events) => {
    expect(TRACKER_HOSTS[kind].planEvents(types)).toEqual(events);
  });

  it('exclude confidential ones at GitLab by default', () => {
    const events = TRACKER_HOSTS.gitlab.planEvents([]);
    expect(String(events)).toContain('issues_events');
    expect(String(events)).not.toContain('confidential');
  });
});

describe('the name of a repository', () => {
  it.each<[TrackerKind, string, boolean]>([
    ['github', 'acme/shop', true],
    ['github', 'acme/.github', true],
    ['github', 'acme/..', false],
    ['github', '../acme', false],
    ['github', 'acme/shop/issues', false],
    ['github', 'acme', false],
    ['github', 'acme/shop?x=1', false],
    ['gitlab', 'group/sub/project', true],
    ['gitlab', '4711', true],
    ['gitlab', 'group/../project', false],
    ['gitlab', 'group/', false],
    ['jira', 'OPS', true],
    ['jira', 'ops', false],
    ['jira', 'OPS" OR project = "HR', false],
    ['linear', 'ENG', true],
    ['linear', 'ENG-1', false],
  ])('of %s: %s is %s', (kind, name, isOne) => {
    expect(TRACKER_HOSTS[kind].repository.pattern.test(name)).toBe(isOne);
  });

  it.each<[string[], string, boolean]>([
    [[], 'acme/shop', true],
    [['acme/*'], 'Acme/Shop', true],
    [['acme/*'], 'acme-evil/shop', false],
    [['acme/*'], 'acme/group/project', true],
    [['acme/shop'], 'acme/shop', true],
    [['acme/shop'], 'acme/shop2', false],
  ])('a connection for %j is for %s: %s (TRK-2)', (repositories, name, isFor) => {
    expect(coversRepository(repositories, name)).toBe(isFor);
  });
});

describe('text for GitLab', () => {
  const { gitlab } = TRACKER_HOSTS;
  const place = { repository: 'acme/shop', issue: '42', on: 'issue' } as const;
  const open = (sent: TrackerRequest[]): TrackerAccess => ({
    ask: (request) => {
      sent.push(request);
      return Promise.resolve({ status: 201, headers: new Headers(), body: {} });
    },
    isCloud: false,
  });

  it.each([
    ['/close', '\\/close'],
    ['Looks good.\n/merge\n', 'Looks good.\n\\/merge\n'],
    ['a\r\n  /move acme/secret', 'a\r\n  \\/move acme/secret'],
    ['\u00a0/LABEL ~"approved"', '\u00a0\\/LABEL ~"approved"'],
    ['see /close and src/close, /usr/bin/env', 'see /close and src/close, /usr/bin/env'],
    ['/usr/bin/env', '/usr/bin/env'],
  ])('%j is sent as plain text, never as a command: %j (TRK-12)', async (text, written) => {
    const sent: TrackerRequest[] = [];
    await gitlab.comment(open(sent), place, text);
    const issue = { repository: 'acme/shop', title: 'x', body: text, labels: [], issueType: undefined };
    await gitlab.openIssue(open(sent), issue);
    expect(sent.map(({ body }) => body)).toMatchObject([{ body: written }, { description: written }]);
  });

  it('is never sent as a label that GitLab would split into several (TRK-12)', async () => {
    const sent: TrackerRequest[] = [];
    const change = { label: 'triage,approved', isAdded: true };
    await expect(gitlab.changeLabel(open(sent), place, change)).rejects.toMatchObject({ fault: 'invalid' });
    expect(sent).toEqual([]);
  });
});
