import { forgetRequestsOfSession } from '@steward/approvals';
import { purgeDeletedSession } from '@steward/sessions';
import { eventually } from '@steward/testing';
import { useApprovals } from '../../../testing/approval-tests.ts';
import { connectMcp, MCP_CLIENTS, type McpClient } from '../../../testing/mcp-tests.ts';
import { useSweeperRole } from '../../../testing/use-sweeper-role.ts';

const role = useSweeperRole(() => approvals.people.gateway());
const approvals = useApprovals();
const POLICY = `
version: "1"
rules:
  - { id: searches, description: Searches need a yes, match: { tools: ["local/search_sessions"] }, condition: "args.query == 'held'", action: require_approval }
  - { id: secrets, description: Nobody looks for secrets, match: { tools: ["local/search_sessions"] }, condition: "args.query == 'secret'", action: deny }
`;
let client: McpClient;
let token: string;

beforeEach(async () => {
  await approvals.apply(POLICY);
  token = await approvals.addAgent();
  client = await connectMcp(approvals.people.gateway().url, token);
});
afterEach(() => client.close());

/** Makes held calls return at once, with a status that says that they wait for approval. */
const answerAtOnce = () =>
  approvals.call('POST', '/approval-workflows', { name: 'at once', approval_wait_seconds: 0, is_default: true });
const search = (query = 'held') => client.call('search_sessions', { query });
const status = (id: string, more: object = {}) =>
  client.call('get_approval_status', { approval_request_id: id, ...more });
async function hold(): Promise<string> {
  await answerAtOnce();
  const { structuredContent } = await search();
  expect(structuredContent).toMatchObject({ status: 'pending_approval' });
  return structuredContent?.['approval_request_id'] as string;
}
const audited = async (type: string) =>
  (await approvals.people.readAudit(approvals.owner().accessToken)).filter((row) => row.resource_type === type);
/** Counts the runs of the tool, each of which is audited as a search. */
const countRuns = async () => (await audited('session_search')).length;

describe('a call that is held', () => {
  it('is made once after its approval, and its result is returned from then on (TOOL-9, AP-1)', async () => {
    const id = await hold();
    expect((await status(id)).structuredContent).toMatchObject({ status: 'pending_approval' });
    await approvals.decide(id, 'approve');
    const first = await status(id);
    expect([first.isError, first.structuredContent]).toEqual([undefined, expect.objectContaining({ results: [] })]);
    const later = await Promise.all([status(id), status(id)]);
    expect(later.map(({ structuredContent }) => structuredContent)).toEqual([
      first.structuredContent,
      first.structuredContent,
    ]);
    expect(await countRuns()).toBe(1);
  });

  it.each([0, 0.01])('waits no longer than the %d s requested by the client (TOOL-7)', async (seconds) => {
    const onprogress = () => undefined;
    const answer = await client.call(
      'search_sessions',
      { query: 'held' },
      { onprogress, meta: { 'steward/wait_seconds': seconds } },
    );
    expect(answer.structuredContent).toMatchObject({ status: 'pending_approval' });
  });

  it('is made only once under simultaneous requests (TOOL-9)', async () => {
    const id = await hold();
    const twin = await approvals.people.gateway().startTwin();
    const other = await connectMcp(twin.url, token);
    await approvals.decide(id, 'approve');
    const asked = Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? client : other).call('get_approval_status', { approval_request_id: id, wait_seconds: 45 }),
    );
    const answers = await Promise.all(asked);
    expect(new Set(answers.map(({ structuredContent }) => JSON.stringify(structuredContent))).size).toBe(1);
    expect(answers[0]?.structuredContent).toMatchObject({ results: [] });
    expect(await countRuns()).toBe(1);
    await other.close();
    await twin.close();
  });

  it('returns its result on the same connection if people decide in time, for the first and the second of two identical calls', async () => {
    const heard: string[][] = [[], []];
    const both = heard.map((told) =>
      client.call('search_sessions', { query: 'held' }, { onprogress: ({ message }) => void told.push(message ?? '') }),
    );
    const open = async () => (await approvals.call('GET', '/approval-requests')).body.items;
    // A call that is made after the approval was used up would create another request.
    await eventually(() => heard.every((told) => told.length > 0));
    const [request] = await open();
    await approvals.decide(request.id, 'approve');
    const answers = await Promise.all(both);
    expect(answers[0]?.structuredContent).toMatchObject({ results: [] });
    expect(await open()).toHaveLength(1);
    expect(await countRuns()).toBe(1);
  });

  it('is allowed when it is repeated after the approval (TOOL-9, AP-5)', async () => {
    const id = await hold();
    await approvals.decide(id, 'approve');
    const again = await search();
    expect(again.structuredContent).toMatchObject({ results: [] });
    expect((await status(id)).structuredContent).toEqual(again.structuredContent);
    expect(await countRuns()).toBe(1);
  });

  it('is not made if it is declined, and the agent gets the reason (TOOL-8, AP-6)', async () => {
    const id = await hold();
    await approvals.decide(id, 'decline', { comment: 'Not now.' });
    for (const answer of [await status(id), await search()])
      expect(answer).toMatchObject({ isError: true, content: [{ text: 'The request was declined: Not now.' }] });
    expect(await countRuns()).toBe(0);
  });

  it('is not repeated after a process ended during the call: its outcome is unknown (TOOL-10)', async () => {
    const id = await hold();
    await approvals.decide(id, 'approve');
    await approvals.people.query(`update approvals.approval_request set consumed_at = now() where id = $1`, [id]);
    await approvals.people.query(
      `update approvals.approval_run set state = 'running', lease_until = now() + interval '1 hour' where request_id = $1`,
      [id],
    );
    expect((await status(id)).structuredContent).toMatchObject({ status: 'running' });
    await approvals.people.query(`update approvals.approval_run set lease_until = now() where request_id = $1`, [id]);
    for (let times = 0; times < 2; times += 1) {
      expect(await status(id, { wait_seconds: 45 })).toMatchObject({
        isError: true,
        structuredContent: { status: 'outcome_unknown', approval_request_id: id },
      });
    }
    expect(await countRuns()).toBe(0);
  });

  it('is not made with an approval that was not used in time (TOOL-10)', async () => {
    const id = await hold();
    await approvals.decide(id, 'approve');
    await approvals.age(id, 15 * 60);
    expect(await status(id)).toMatchObject({
      isError: true,
      content: [{ text: 'The approval was not used in time. Make the call again.' }],
    });
    expect(await countRuns()).toBe(0);
  });

  it('is not made with an approval that a permission check has used (TOOL-10)', async () => {
    const id = await hold();
    await approvals.decide(id, 'approve');
    const call = { tool_name: 'search_sessions', arguments: { query: 'held' } };
    expect((await approvals.check(call, { token })).body).toMatchObject({ decision: 'allow', approval_request_id: id });
    expect(await status(id)).toMatchObject({ isError: true, content: [{ text: /was used for another call/ }] });
    expect(await countRuns()).toBe(0);
  });

  it('is not made if the policy denies it by the time it is approved (TOOL-11)', async () => {
    const id = await hold();
    await approvals.decide(id, 'approve');
    await approvals.apply('version: "1"\ndefaults: { action: deny }\n');
    for (let times = 0; times < 2; times += 1)
      expect(await status(id)).toMatchObject({ isError: true, content: [{ text: /^Denied by policy: / }] });
    expect(await countRuns()).toBe(0);
  });

  it('belongs to the session of its caller, and is deleted with it (TOOL-11)', async () => {
    const id = await hold();
    const sessionId = (await approvals.read(id)).runtime_session_id as string;
    expect(sessionId).toEqual(expect.any(String));
    await approvals.decide(id, 'approve');
    await status(id);
    expect((await approvals.call('DELETE', `/runtime-sessions/${sessionId}`)).status).toBe(204);
    while ((await purgeDeletedSession(role.sweeper().db, [forgetRequestsOfSession])) !== undefined);
    const kept = await approvals.people.query('select from approvals.approval_run where request_id = $1', [id]);
    expect(kept).toHaveLength(0);
    expect((await status(id)).structuredContent).toEqual({ status: 'approved', answer: null });
    expect(await countRuns()).toBe(1);
  });

  it('is not stored in plain text, neither its arguments nor its result (TOOL-11)', async () => {
    const id = await hold();
    const stored = async () =>
      String(
        (
          await approvals.people.query('select r::text as text from approvals.approval_run r where request_id = $1', [
            id,
          ])
        )[0]?.['text'],
      );
    expect(await stored()).toContain('kept');
    await approvals.decide(id, 'approve');
    await status(id);
    expect(await stored()).toContain('done');
    expect(await stored()).not.toMatch(/held|results/);
  });
});

describe.each(MCP_CLIENTS)('a held call of an MCP client (%s) (AP-11)', (kind) => {
  it.each([
    ['receives progress notifications', [] as string[]],
    ['receives nothing until then', undefined],
  ])('gets the approved result if it %s', async (_what, seen) => {
    const own = await connectMcp(approvals.people.gateway().url, token, { kind });
    const onprogress = ({ message }: { message?: string | undefined }) => seen?.push(message ?? '');
    const answer = own.call('search_sessions', { query: 'held' }, seen === undefined ? {} : { onprogress });
    const request = await eventually(async () => (await approvals.call('GET', '/approval-requests')).body.items[0]);
    if (seen !== undefined) await eventually(() => seen.some((message) => message.includes(request.id)));
    await approvals.decide(request.id, 'approve');
    expect((await answer).structuredContent).toMatchObject({ results: [] });
    expect(await countRuns()).toBe(1);
    await own.close();
  });
});

describe('an agent that responds in place of the people who are asked (AP-11)', () => {
  it.each(['tasks/update', 'tasks/result', 'elicitation/create'])('has no effect with %s', async (method) => {
    const id = await hold();
    const params = { taskId: id, requestId: id, status: 'completed', decision: 'approve', action: 'accept' };
    const answer = await fetch(`${approvals.people.gateway().url}/mcp/v1`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    expect(await answer.text()).toContain('-32601');
    expect((await status(id)).structuredContent).toMatchObject({ status: 'pending_approval' });
    expect(await countRuns()).toBe(0);
  });
});

describe('calls', () => {
  it('are recorded as tool calls in the caller’s session, and appear in the audit log (TOOL-13)', async () => {
    await search('something');
    await search('secret');
    const timeline = async () => {
      const { items } = (await approvals.call('GET', '/runtime-sessions')).body;
      const id = items[0]?.id as string | undefined;
      if (id === undefined) return [];
      return (await approvals.call('GET', `/runtime-sessions/${id}/timeline`)).body.items as { status: string }[];
    };
    await eventually(async () => (await timeline()).length === 2);
    expect((await timeline()).map(({ status: ended }) => ended).sort()).toEqual(['denied', 'ok']);
    expect((await timeline()).find(({ status: ended }) => ended === 'ok')).toMatchObject({
      kind: 'tool_call',
      tool_name: 'search_sessions',
      content: { arguments: { query: 'something' }, result: { structuredContent: { results: [] } } },
    });
    const details = { server: 'local', tool: 'search_sessions', duration_ms: expect.any(Number) as unknown };
    // Both calls are stored after their responses, in separate transactions.
    await eventually(async () => (await audited('tool')).length === 2);
    expect(await audited('tool')).toMatchObject([
      { action: 'call', status: 'denied', details: { ...details, decision: 'denied', rule_id: 'secrets' } },
      { action: 'call', status: 'success', details: { ...details, decision: 'allowed', rule_id: null } },
    ]);
  });

  it('can be denied by a rule, whose description is returned to the agent (TOOL-12)', async () => {
    await approvals.listen();
    expect(await search('secret')).toMatchObject({
      isError: true,
      content: [{ text: 'Denied by policy: Nobody looks for secrets' }],
    });
    expect((await approvals.readEvents()).map(({ type }) => type)).toEqual(['policy.denied']);
    expect(await countRuns()).toBe(0);
  });

  it('cannot use a tool that is always denied, and the tool is not listed (TOOL-12)', async () => {
    // Clients cache a list for the stated time, so a new client is used for each request.
    const names = async () => {
      const fresh = await connectMcp(approvals.people.gateway().url, token);
      const listed = (await fresh.list()).map(({ name }) => name);
      await fresh.close();
      return listed;
    };
    expect(await names()).toEqual(['ask_operator', 'get_approval_status', 'search_sessions']);
    await approvals.apply(
      'version: "1"\nrules:\n  - { id: none, description: None, match: { tools: ["local/*"] }, action: deny }\n',
    );
    expect(await names()).toEqual(['get_approval_status']);
    expect(await search()).toMatchObject({ isError: true, content: [{ text: 'Denied by policy: None' }] });
  });
});
