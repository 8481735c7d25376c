import { TRACKER_KINDS, type TrackerKind } from '@steward/trackers';
import { connectMcp, type ToolAnswer } from '../../../testing/mcp-tests.ts';
import { PLAYED_PLACES, TOKEN, useTrackers } from '../../../testing/tracker-tests.ts';

const trackers = useTrackers();
const { apply, connect, people, played } = trackers;

async function call(name: string, args: Record<string, unknown>): Promise<ToolAnswer> {
  const client = await connectMcp(people.gateway().url, trackers.owner().accessToken);
  try {
    return await client.call(`tracker__${name}`, args);
  } finally {
    await client.close();
  }
}
const lastSent = (kind: TrackerKind) => {
  const { method, path, body } = played(kind).requests.at(-1) ?? { method: '', path: '', body: Buffer.alloc(0) };
  return {
    method,
    path,
    body: body.length === 0 ? undefined : (JSON.parse(body.toString()) as Record<string, unknown>),
  };
};
const SHA = '6dcb09b5b57875f334f61aebed695e2e4193db5e';
const ISSUE = {
  title: 'Checkout fails for empty carts',
  body: 'Steps: open the cart, press pay.',
  labels: ['bug'],
  comments: [{ author: expect.stringMatching(/^dana$/i), body: 'Seen here, too.', created_at: expect.any(String) }],
  has_more_comments: false,
};
const document = (text: string) => ({
  type: 'doc',
  version: 1,
  content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
});
/** The request for a comment at each tracker. */
const COMMENTS: Record<TrackerKind, object> = {
  github: { method: 'POST', path: '/api/v3/repos/acme/shop/issues/42/comments', body: { body: 'Looking.' } },
  gitlab: { method: 'POST', path: '/api/v4/projects/acme%2Fshop/issues/42/notes', body: { body: 'Looking.' } },
  jira: { method: 'POST', path: '/rest/api/3/issue/OPS-42/comment', body: { body: document('Looking.') } },
  linear: {
    path: '/graphql',
    body: { variables: { input: { issueId: '0d1b3e8a-0000-4000-8000-000000000042', body: 'Looking.' } } },
  },
};
const LABELS: Record<TrackerKind, object> = {
  github: { method: 'POST', path: '/api/v3/repos/acme/shop/issues/42/labels', body: { labels: ['triage'] } },
  gitlab: { method: 'PUT', path: '/api/v4/projects/acme%2Fshop/issues/42', body: { add_labels: 'triage' } },
  jira: { method: 'PUT', path: '/rest/api/3/issue/OPS-42', body: { update: { labels: [{ add: 'triage' }] } } },
  linear: { body: { variables: { id: expect.any(String), labelId: 'label-1' } } },
};
const OPENED: Record<TrackerKind, string> = { github: '43', gitlab: '43', jira: 'OPS-43', linear: 'ENG-43' };

describe.each(TRACKER_KINDS)('the tools of %s', (kind) => {
  const { repository, issue } = PLAYED_PLACES[kind];
  const place = kind === 'jira' || kind === 'linear' ? { issue } : { repository, issue };
  beforeEach(async () => {
    expect((await connect(kind)).status).toBe(201);
  });

  it('read and list issues (TRK-10)', async () => {
    const read = await call('read_issue', place);
    expect(read.structuredContent).toMatchObject({ tracker: kind, repository, issue, ...ISSUE });
    for (const query of [undefined, 'empty "carts" repo:acme/secret']) {
      const listed = await call('list_issues', {
        repository,
        ...(query === undefined ? {} : { query }),
        labels: ['bug'],
      });
      const { issues } = listed.structuredContent as { issues: { issue: string }[] };
      expect(issues.map((found) => found.issue)).toEqual([issue]);
    }
  });

  it('comment, add and remove labels, and open issues (TRK-10)', async () => {
    expect((await call('comment', { ...place, body: 'Looking.' })).structuredContent).toMatchObject({ issue });
    expect(lastSent(kind)).toMatchObject(COMMENTS[kind]);
    expect((await call('add_label', { ...place, label: 'triage' })).structuredContent).toMatchObject({
      is_there: true,
    });
    expect(lastSent(kind)).toMatchObject(LABELS[kind]);
    const off = await call('remove_label', { ...place, label: 'bug' });
    expect([off.isError ?? false, off.structuredContent?.['is_there']]).toEqual([false, false]);
    const opened = await call('open_issue', { repository, title: 'A new one', body: 'Because.', labels: ['triage'] });
    expect(opened.structuredContent).toMatchObject({ repository, issue: OPENED[kind], url: expect.any(String) });
  });

  it('read changes and set statuses, or report that the tracker has none (TRK-10)', async () => {
    const asked = () => call('read_change', { repository, change: '7' });
    const set = () => call('set_status', { repository, sha: SHA, state: 'failure', description: 'Two findings' });
    if (kind === 'jira' || kind === 'linear') {
      // The tools are not offered, because none of the account's trackers supports them.
      for (const each of [asked, set]) await expect(each()).rejects.toThrow('Unknown tool');
      return;
    }
    const change = await asked();
    const status = await set();
    expect(change.structuredContent).toMatchObject({
      change: '7',
      source_branch: 'fix-carts',
      target_branch: 'main',
      head_sha: SHA,
      files: [{ path: 'src/cart.ts', status: 'modified', patch: '@@ -1 +1 @@' }],
      has_more_files: false,
    });
    expect(status.structuredContent).toEqual({
      tracker: kind,
      repository,
      sha: SHA,
      state: 'failure',
      context: 'steward',
    });
    expect(lastSent(kind).body).toMatchObject({
      state: kind === 'github' ? 'failure' : 'failed',
      description: 'Two findings',
    });
  });
});

describe('calls of tracker tools', () => {
  it('are decided according to the policy, and recorded without the token (TRK-11)', async () => {
    await connect('github');
    const before = played('github').requests.length;
    await apply(`
version: "1"
rules:
  - { id: no-labels, description: Labels are put on by people, match: { tools: ["tracker/add_label"] }, action: deny }
  - { id: ask, description: People read comments first, match: { tools: ["tracker/comment"] }, action: require_approval }
`);
    const place = { repository: 'acme/shop', issue: '42' };
    const denied = await call('add_label', { ...place, label: 'triage' });
    expect([denied.isError, JSON.stringify(denied.content)]).toEqual([
      true,
      expect.stringContaining('Labels are put on by people'),
    ]);
    const client = await connectMcp(people.gateway().url, trackers.owner().accessToken);
    const names = (await client.list()).map(({ name }) => name).filter((name) => name.startsWith('tracker__'));
    expect(names).toEqual([
      'tracker__comment',
      'tracker__list_issues',
      'tracker__open_issue',
      'tracker__read_change',
      'tracker__read_issue',
      'tracker__remove_label',
      'tracker__set_status',
    ]);
    const held = await client.call(
      'tracker__comment',
      { ...place, body: 'Hi.' },
      { meta: { 'steward/wait_seconds': 0 } },
    );
    const id = String(held.structuredContent?.['approval_request_id']);
    expect(played('github').requests.length).toBe(before);
    await trackers.decide(id, 'approve');
    const settled = await client.call('get_approval_status', { approval_request_id: id, wait_seconds: 30 });
    expect(JSON.stringify(settled.structuredContent ?? settled.content)).toContain('issuecomment-99');
    await client.close();
    const rows = await people.query('select * from gateway.session_content');
    expect(JSON.stringify([denied, held, settled, rows])).not.toContain(TOKEN);
    const audit = (await people.readAudit(trackers.owner().accessToken)).filter(
      ({ resource_type: type }) => type === 'tool',
    );
    expect(audit.map(({ details }) => `${details['server']}/${details['tool']} ${details['decision']}`)).toContain(
      'tracker/comment approved',
    );
  });

  it.each<[string, string, Record<string, unknown>, string]>([
    [
      'a repository that the connection does not allow',
      'comment',
      { repository: 'acme/secret', issue: '1', body: 'x' },
      'forbidden',
    ],
    ['a repository path that leads elsewhere', 'comment', { repository: 'acme/..', issue: '1', body: 'x' }, 'invalid'],
    ['an issue id that is a path', 'read_issue', { issue: '42/../../secret' }, 'invalid'],
    ['no comment text', 'comment', { issue: '42', body: '' }, 'invalid_request'],
    ['an unknown field', 'read_issue', { issue: '42', token: 'x' }, 'invalid_request'],
    ['an unknown tracker', 'read_issue', { tracker: 'other', issue: '42' }, 'not_found'],
    ['an abbreviated hash', 'set_status', { sha: '6dcb09b', state: 'success' }, 'invalid_request'],
  ])('with %s are refused without calling the tracker (TRK-10)', async (_what, name, args, reason) => {
    await connect('github', { repositories: ['acme/shop'] });
    const before = played('github').requests.length;
    const answer = await call(name, args);
    expect([answer.isError, answer.structuredContent]).toMatchObject([true, { refused: true, reason }]);
    expect(played('github').requests.length).toBe(before);
  });

  it('are refused while all agents of the account are stopped (TRK-11, KILL-2)', async () => {
    await connect('github');
    await trackers.call('PUT', '/account/kill-switch', { engaged: true, reason: 'A test' });
    const before = played('github').requests.length;
    await expect(call('comment', { repository: 'acme/shop', issue: '42', body: 'x' })).rejects.toThrow();
    expect(played('github').requests.length).toBe(before);
  });

  it('name the tracker if there are several, and report an operation that one of them does not support (TRK-10)', async () => {
    await connect('github');
    await connect('jira');
    const several = await call('read_issue', { issue: '42', repository: 'acme/shop' });
    expect(several.structuredContent).toMatchObject({
      reason: 'invalid',
      detail: 'Set "tracker" to one of: github, jira.',
    });
    const status = await call('set_status', { tracker: 'jira', repository: 'OPS', sha: SHA, state: 'success' });
    expect(status.structuredContent).toMatchObject({
      reason: 'unsupported',
      detail: 'Jira has no commits to set a status on.',
    });
    const change = await call('comment', { tracker: 'jira', issue: 'OPS-42', on: 'change', body: 'x' });
    expect(change.structuredContent).toMatchObject({ reason: 'unsupported' });
  });

  it.each([
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [422, 'invalid'],
    [429, 'rate_limited'],
  ])('with the tracker’s response %d result in tool errors in the tracker’s words: %s', async (status, reason) => {
    await connect('github');
    played('github').refuse({ status, body: { message: `no, ${TOKEN}` } });
    const answer = await call('read_issue', { repository: 'acme/shop', issue: '42' });
    expect(answer.structuredContent).toEqual({
      refused: true,
      reason,
      detail: `GitHub responded with ${status}: no, [hidden].`,
    });
  });

  it.each([
    ['jira', { key: 'SEC-7' }, ({ method }: { method: string }) => method === 'GET'],
    [
      'linear',
      { data: { issue: { id: '7', identifier: 'SEC-7' } } },
      ({ body }: { body: Readonly<Record<string, unknown>> }) => String(body['query']).includes('identifier'),
    ],
  ] as const)('%s does not write to an issue that was moved to another project (TRK-12)', async (kind, body, which) => {
    const { repository, issue } = PLAYED_PLACES[kind];
    await connect(kind, { repositories: [repository] });
    played(kind).refuse({ status: 200, body }, which as never);
    const before = played(kind).requests.length;
    for (const [name, args] of [
      ['comment', { body: 'x' }],
      ['add_label', { label: 'bug' }],
      ['remove_label', { label: 'bug' }],
    ] as const)
      expect((await call(name, { issue, ...args })).structuredContent).toMatchObject({ reason: 'not_found' });
    const asked = played(kind).requests.slice(before);
    expect(asked.filter(({ method, body: sent }) => method === 'PUT' || /mutation|"body"/.test(String(sent)))).toEqual(
      [],
    );
  });

  it.each([
    ['linear', { status: 200, body: { errors: [{ message: `no, ${TOKEN}` }] } }],
    ['linear', { status: 400, body: { errors: [{ message: `no, ${TOKEN}` }] } }],
    ['jira', { status: 401, body: { message: `no, Basic ${btoa(`bot@acme.test:${TOKEN}`)}` } }],
    ['github', { status: 200, body: { number: 42, title: TOKEN, body: `"${TOKEN}"` } }],
  ] as const)('never show the token, whatever %s returns: %j (TRK-3)', async (kind, answer) => {
    await connect(kind);
    played(kind).refuse(answer);
    const { repository, issue } = PLAYED_PLACES[kind];
    const said = JSON.stringify(await call('read_issue', { repository, issue }));
    expect(said).toContain('[hidden]');
    expect(said).not.toContain(TOKEN);
    expect(said).not.toContain(btoa(`bot@acme.test:${TOKEN}`));
  });

  it('return size-limited responses, regardless of how much the tracker contains (LIM-99)', async () => {
    await connect('github');
    const body = 'x'.repeat(100_000);
    played('github').refuse(
      { status: 200, body: { number: 42, title: 'Long', state: 'open', body, comments: 1 } },
      ({ path }) => path.endsWith('/issues/42'),
    );
    const answer = await call('read_issue', { repository: 'acme/shop', issue: '42' });
    const shown = String(answer.structuredContent?.['body']);
    expect(shown.length).toBeLessThan(20_200);
    expect(shown).toMatch(/\[truncated by Steward: showing 20000 of 100000 characters\]$/);
  });

  it('are not possible without a connection; no tool server can use their names (TRK-10, MCP-2)', async () => {
    const client = await connectMcp(people.gateway().url, trackers.owner().accessToken);
    expect((await client.list()).map(({ name }) => name).filter((name) => name.startsWith('tracker'))).toEqual([]);
    await client.close();
    const server = await trackers.call('POST', '/mcp-servers', { name: 'tracker', url: 'https://tools.acme.test/mcp' });
    expect([server.status, server.body.detail.field]).toEqual([422, 'name']);
  });
});
