import { useApprovals } from '../../../testing/approval-tests.ts';
import { connectMcp, type McpClient } from '../../../testing/mcp-tests.ts';

const approvals = useApprovals();
const POLICY = `
version: "1"
rules:
  - { id: searches, description: Searches need a yes, match: { tools: ["local/search_sessions"] }, condition: "args.query == 'held'", action: require_approval }
  - { id: secrets, description: Nobody looks for secrets, match: { tools: ["local/search_sessions"] }, condition: "args.query == 'secret'", action: deny }
`;
let client: McpClient;

beforeEach(async () => {
  await approvals.apply(POLICY);
  client = await connectMcp(approvals.people.gateway().url, await approvals.addAgent());
});
afterEach(() => client.close());

const status = (id: string) => client.call('get_approval_status', { approval_request_id: id });
async function hold(): Promise<string> {
  const meta = { 'steward/wait_seconds': 0 };
  const { structuredContent } = await client.call('search_sessions', { query: 'held' }, { meta });
  expect(structuredContent).toMatchObject({ status: 'pending_approval' });
  return structuredContent?.['approval_request_id'] as string;
}
/** Counts the runs of the tool, each of which is audited as a search. */
const countRuns = async () =>
  (await approvals.people.readAudit(approvals.owner().accessToken)).filter(
    (row) => row.resource_type === 'session_search',
  ).length;

describe('a held call whose caller lost the response (TOOL-34)', () => {
  const find = (query: string, by: McpClient = client) =>
    by.call('get_approval_status', { call: { name: 'search_sessions', arguments: { query } } });
  const refused = (reason: string) => ({ isError: true, structuredContent: { refused: true, reason } });

  it('is found while it is pending and after its approval, and is not made by that', async () => {
    const id = await hold();
    expect((await find('held')).structuredContent).toMatchObject({
      status: 'pending_approval',
      approval_request_id: id,
    });
    await approvals.decide(id, 'approve');
    for (let times = 0; times < 2; times += 1)
      expect((await find('held')).structuredContent).toEqual({ status: 'approved', approval_request_id: id });
    expect(await countRuns()).toBe(0);
    expect((await status(id)).structuredContent).toMatchObject({ results: [] });
    // The approval is used up, so the same call would be a new one.
    expect(await find('held')).toMatchObject(refused('not_found'));
    expect(await countRuns()).toBe(1);
  });

  it('is found after a decline', async () => {
    const id = await hold();
    await approvals.decide(id, 'decline', { comment: 'Not now.' });
    expect((await find('held')).structuredContent).toEqual({ status: 'declined', approval_request_id: id });
  });

  it('is found by the arguments of a question to operators, which people always answer', async () => {
    const question = { question: 'May I?' };
    const asked = await client.call('ask_operator', question, { meta: { 'steward/wait_seconds': 0 } });
    const id = asked.structuredContent?.['approval_request_id'];
    const found = await client.call('get_approval_status', { call: { name: 'ask_operator', arguments: question } });
    expect([found.structuredContent?.['status'], found.structuredContent?.['approval_request_id']]).toEqual([
      'pending_approval',
      id,
    ]);
  });

  it('is not found if the policy allows it now, because it may have been made without the request', async () => {
    await approvals.decide(await hold(), 'approve');
    await approvals.apply('version: "1"\nrules: []\ndefaults: { action: allow }');
    expect(await find('held')).toMatchObject(refused('not_found'));
  });

  it('is not found if the same call was made after the request, although the policy counts it and would hold it now', async () => {
    await approvals.apply(`
version: "1"
rules:
  - { id: often, description: Not often, match: { tools: ["local/search_sessions"] }, condition: "session.calls('local/search_sessions', 60) > 0", action: require_approval }
defaults: { action: allow }
`);
    const search = () => client.call('search_sessions', { query: 'held' }, { meta: { 'steward/wait_seconds': 0 } });
    await search();
    const held = await search();
    const id = held.structuredContent?.['approval_request_id'];
    expect((await find('held')).structuredContent).toMatchObject({ approval_request_id: id });
    await approvals.decide(String(id), 'decline');
    await approvals.people.query(`update policies.recent_call set made_at = made_at - interval '1 hour'`);
    expect((await search()).structuredContent).toMatchObject({ results: [] });
    expect(await find('held')).toMatchObject(refused('not_found'));
  });

  it('is neither found, made nor requested if it is not held', async () => {
    await hold();
    const other = await connectMcp(approvals.people.gateway().url, await approvals.addAgent());
    const answers = [await find('free'), await find('secret'), await find('held', other)];
    await other.close();
    for (const answer of answers) expect(answer).toMatchObject(refused('not_found'));
    const unknown = { call: { name: 'no_tool', arguments: {} } };
    expect(await client.call('get_approval_status', unknown)).toMatchObject(refused('not_found'));
    expect((await approvals.call('GET', '/approval-requests')).body.items).toHaveLength(1);
    expect(await countRuns()).toBe(0);
  });

  it.each([
    ['no request', {}],
    ['two', { approval_request_id: '0198a000-0000-7000-8000-000000000000', call: { name: 'a', arguments: {} } }],
    ['a call without arguments', { call: { name: 'search_sessions' } }],
  ])('is not looked for if the question names %s', async (_what, args) => {
    expect(await client.call('get_approval_status', args)).toMatchObject(refused('invalid_request'));
  });
});
