import { newId } from '@steward/crypto';
import { openStats, type OpenStats } from '../../testing/open-stats.ts';

let stats: OpenStats;
beforeAll(async () => {
  stats = await openStats();
});
afterAll(() => stats.close());

const AT = '2026-11-20T10:07:00Z';
/** Returns a series, and asserts that it is the same before and after the facts are aggregated. */
async function readTwice(...request: Parameters<OpenStats['read']>) {
  const before = await stats.read(...request);
  await stats.rollUp();
  expect(await stats.read(...request)).toEqual(before);
  return before;
}
const groupsOf = ({ groups }: Awaited<ReturnType<OpenStats['read']>>) =>
  Object.fromEntries(groups.map(({ key, sums }) => [String(key), sums]));

async function openSession(accountId: string, agent?: string): Promise<string> {
  const id = newId();
  await stats.write(
    `insert into gateway.runtime_session (account_id, id, session_source_type, session_source_id, runtime_principal_type,
       runtime_principal_id, started_at, last_activity_at, last_seen_at, created_at, updated_at)
     values ($1, $2, 'claude_code', $2::uuid::text, $4, $5, $3, $3, $3, $3, $3)`,
    [accountId, id, AT, agent === undefined ? null : 'managed_agent', agent ?? null],
  );
  return id;
}

describe('series (STATS-3)', () => {
  it('count model calls, including failed ones, and their tokens, in every grouping', async () => {
    const accountId = newId();
    await stats.call(accountId, { at: AT, cost: '0.5', alias: 'fast', agent: 'bot' });
    await stats.call(accountId, { at: AT, cost: null, alias: null });
    await stats.call(newId(), { at: AT, cost: '9' });
    const read = await readTwice(accountId, 'model_calls', { groupBy: 'model' });
    expect(read.total.sums).toEqual({ count: 2, failed: 0, input_tokens: 200, output_tokens: 10 });
    expect(read.total.values.count?.indexOf(2)).toBe(10);
    expect(Object.keys(groupsOf(read)).sort()).toEqual(['fast', 'null']);
    expect(groupsOf(await readTwice(accountId, 'spend', { groupBy: 'agent', key: 'bot' }))).toEqual({
      bot: { cost_usd: 0.5, count: 1 },
    });
    for (const groupBy of ['key', 'flow', 'person', 'result'])
      expect((await readTwice(accountId, 'spend', { groupBy })).groups).toHaveLength(1);
  });

  it('count sessions, and tool calls with their agent and outcome, but not copies', async () => {
    const accountId = newId();
    const session = await openSession(accountId, 'bot');
    await openSession(accountId);
    for (const [kind, status, copyOf] of [
      ['tool_call', 'ok', null],
      ['tool_call', 'denied', null],
      ['tool_call', 'ok', newId()],
      ['flow_log', null, null],
    ])
      await stats.write(
        `insert into gateway.session_content (account_id, id, runtime_session_id, kind, occurred_at, tool_name, status, copy_of,
           copy_of_session_id, origin, content_captured, content_size_bytes, created_at) values ($1, $2, $3, $4, $5, 'deploy', $6, $7::uuid, $7::uuid, $7::uuid, false, 0, $5)`,
        [accountId, newId(), session, kind, AT, status, copyOf],
      );
    expect(groupsOf(await readTwice(accountId, 'sessions', { groupBy: 'agent' }))).toEqual({
      bot: { count: 1 },
      null: { count: 1 },
    });
    expect(groupsOf(await readTwice(accountId, 'tool_calls', { groupBy: 'agent' }))).toEqual({
      bot: { count: 2, failed: 1 },
    });
    expect(groupsOf(await readTwice(accountId, 'tool_calls', { groupBy: 'result' }))).toMatchObject({
      denied: { failed: 1 },
    });
  });

  it('count deliveries when they end, and the duration of successful ones', async () => {
    const accountId = newId();
    const [quick, dead] = [newId(), newId()];
    for (const [endpoint, status, seconds] of [
      [quick, 'delivered', 1],
      [quick, 'delivered', 3],
      [dead, 'dead', 3600],
    ])
      await stats.write(
        `insert into webhooks.delivery_done (id, account_id, endpoint_id, event_id, event_type, generation, status, attempt_count,
           occurred_at, created_at, finished_at)
         values ($1, $2, $3, $1, 'session.ended', 1, $4, 1, $5, $5::timestamptz - make_interval(secs => $6), $5)`,
        [newId(), accountId, endpoint, status, AT, seconds],
      );
    expect(groupsOf(await readTwice(accountId, 'deliveries', { groupBy: 'endpoint' }))).toEqual({
      [quick as string]: { count: 2, failed: 0 },
      [dead as string]: { count: 1, failed: 1 },
    });
    const latency = groupsOf(await readTwice(accountId, 'delivery_latency', { groupBy: 'endpoint' }));
    expect(latency[dead as string]).toMatchObject({ mean_ms: null, p95_ms: null });
    expect(latency[quick as string]).toMatchObject({ mean_ms: 2000 });
    expect(Math.abs((latency[quick as string]?.p50_ms ?? 0) / 1000 - 1)).toBeLessThan(0.1);
    expect(Math.abs((latency[quick as string]?.p95_ms ?? 0) / 3000 - 1)).toBeLessThan(0.1);
  });

  it('count executions and approval requests when they end', async () => {
    const accountId = newId();
    const [execution, request, workflow] = [newId(), newId(), newId()];
    await stats.write(
      `insert into flows.execution (id, account_id, flow_id, flow_name, status, trigger_type, trigger_event_details, started_at)
       values ($1, $2, $1, 'nightly', 'RUNNING', 'webhook', '{}', $3)`,
      [execution, accountId, AT],
    );
    await stats.write(
      `insert into approvals.approval_request (id, account_id, approval_workflow_id, tool_name, server, arguments, call_hash, summary,
         quorum, human_only, requester_user_id, policy_version, requested_at, expires_at, due_at)
       values ($1, $2, $3, 'deploy', 'ci', '{}', '\\x00', 'deploy', 1, false, $1, 1, $4, $4, $4)`,
      [request, accountId, workflow, AT],
    );
    expect((await readTwice(accountId, 'executions')).total.sums).toMatchObject({ count: 0, p50_ms: null });
    expect(groupsOf(await readTwice(accountId, 'approvals', { groupBy: 'workflow' }))).toEqual({
      [workflow]: { count: 1 },
    });
    const later = '2026-11-20T10:08:00Z';
    await stats.write(`update flows.execution set status = 'FAILED', finished_at = $2 where id = $1`, [
      execution,
      later,
    ]);
    await stats.write(
      `update approvals.approval_request set status = 'declined', resolved_at = $2, due_at = null, actor = '{}' where id = $1`,
      [request, later],
    );
    // A later change of the row does not count as a second end.
    await stats.write('update flows.execution set error_message = $2 where id = $1', [execution, 'late']);
    const ended = { count: 1, failed: 1, mean_ms: 60_000 };
    expect(groupsOf(await readTwice(accountId, 'executions', { groupBy: 'result' }))).toMatchObject({ FAILED: ended });
    expect(groupsOf(await readTwice(accountId, 'approval_decisions', { groupBy: 'result' }))).toMatchObject({
      declined: ended,
    });
  });

  it('show the size of the corpus, including additions before the range and deletions', async () => {
    const accountId = newId();
    const chunk = (index: number) =>
      stats.write(
        `insert into search.chunk (account_id, id, runtime_session_id, source_kind, source_id, chunk_index, chunk_count, occurred_at,
           indexed_at, content, tsv, content_hash, redaction_state, start_offset, end_offset, tail_omitted)
         values ($1, $2, $2, 'transcript_message', 'one', $3, 3, now(), now(), 'words', '', '\\x00', 'clear', 0, 5, false)`,
        [accountId, newId(), index],
      );
    for (const index of [0, 1, 2]) await chunk(index);
    await stats.rollUp();
    await stats.write('delete from search.chunk where account_id = $1 and chunk_index = 0', [accountId]);
    const now = Date.now();
    const recent = { from: new Date(now - 3_600_000), to: new Date(now) };
    const read = await readTwice(accountId, 'search_corpus', { ...recent, groupBy: 'kind' });
    expect(read.total.sums).toEqual({ size: 2, count: 2 });
    expect(read.total.values.size?.at(-1)).toBe(2);
    expect(groupsOf(read)).toEqual({ transcript_message: { size: 2, count: 2 } });
    const tomorrow = { from: new Date(now + 86_400_000), to: new Date(now + 90_000_000) };
    expect((await readTwice(accountId, 'search_corpus', tomorrow)).total.sums).toEqual({ size: 2, count: 0 });
  });

  it('use steps of a minute for a day, calculated from the original rows', async () => {
    const accountId = newId();
    const now = Math.floor(Date.now() / 60_000) * 60_000;
    for (const minutes of [3, 3, 30])
      await stats.call(accountId, { at: new Date(now - minutes * 60_000), cost: '0.01' });
    const read = await readTwice(accountId, 'spend', {
      step: 'minute',
      from: new Date(now - 3_600_000),
      to: new Date(now),
    });
    expect(read.times).toHaveLength(60);
    expect(read.total.values.count?.[57]).toBe(2);
    expect(read.total.sums.cost_usd).toBe(0.03);
  });

  it('list the largest groups, and report how many there are', async () => {
    const accountId = newId();
    for (const [alias, times] of [
      ['rare', 1],
      ['often', 3],
      ['second', 2],
    ] as const)
      for (let call = 0; call < times; call += 1) await stats.call(accountId, { at: AT, alias });
    const read = await readTwice(accountId, 'model_calls', { groupBy: 'model', limit: 2 });
    expect(read.groups.map(({ key }) => key)).toEqual(['often', 'second']);
    expect([read.groupCount, read.total.sums.count]).toEqual([3, 6]);
  });
});
