import { newId } from '@steward/crypto';
import { eventually, useOpened } from '@steward/testing';
import { sql } from 'kysely';
import type { FlowRow } from '../../schema.ts';
import { openFlows, wrongSecret } from '../../testing/open-flows.ts';
import { findRepeatedTrigger } from './find-repeated-trigger.ts';

const suite = useOpened(openFlows);
const kinds = (outcomes: readonly { readonly kind: string }[]): string[] => outcomes.map(({ kind }) => kind);
const idOf = (outcome: unknown): string | undefined => (outcome as { execution?: { id: string } }).execution?.id;
/** Ways to accept a trigger, in a batch or by itself: the rules are the same. */
const WAYS = [
  ['together with others', { waits: false }],
  ['individually', { waits: true }],
] as const;

async function readAudited(flow: FlowRow) {
  const { rows } = await sql<{ actor_kind: string; actor_id: string | null; source: string; details: object }>`
    select actor_kind, actor_id, source, details from gateway.audit_log where resource_id = ${flow.id} order by id
  `.execute(suite().admin);
  return rows;
}
const setFlow = (flow: FlowRow, change: string) =>
  sql`update flows.flow set ${sql.raw(change)} where id = ${flow.id}`.execute(suite().admin);

describe.each(WAYS)('a trigger accepted %s', (_way, how) => {
  it('creates one execution, one audit row and one message, with the sender’s content', async () => {
    const flow = await suite().addFlow({ name: `named ${newId()}` });
    const [outcome] = await suite().accept([suite().build(flow, { a: [1, '"{},\\'] })], how);
    expect(outcome).toEqual({ kind: 'accepted', execution: { id: expect.any(String), status: 'PENDING' } });
    const id = idOf(outcome);
    expect(await suite().listExecutions(flow.id)).toMatchObject([
      {
        id,
        account_id: flow.account_id,
        flow_name: flow.name,
        status: 'PENDING',
        trigger_type: 'webhook',
        trigger_event_details: { source: 'webhook', type: 'webhook', payload: { a: [1, '"{},\\'] } },
        dedupe_value: null,
        retry_of_execution_id: null,
        created_at: suite().clock.now(),
      },
    ]);
    expect(await readAudited(flow)).toEqual([
      {
        actor_kind: 'anonymous',
        actor_id: null,
        source: 'webhook',
        details: { execution_id: id, workspace_files: 0 },
      },
    ]);
    expect(suite().announced.filter((each) => each === id)).toHaveLength(1);
  });

  it('records the user of the token (FLOW-31)', async () => {
    const flow = await suite().addFlow({ trigger: 'manual' });
    const audit = {
      actor: { kind: 'user', id: 'user, {one}' },
      source: 'console',
      requestId: 'request "1"',
    } as const;
    const trigger = suite().build(flow, {}, { type: 'manual', secretHash: null, audit });
    expect(kinds(await suite().accept([trigger], how))).toEqual(['accepted']);
    expect(await readAudited(flow)).toMatchObject([{ actor_kind: 'user', actor_id: 'user, {one}', source: 'console' }]);
    const unheard = suite().build(flow, {}, { type: 'manual', secretHash: null, audit: null });
    expect(kinds(await suite().accept([unheard], how))).toEqual(['accepted']);
    expect(await readAudited(flow)).toHaveLength(1);
  });

  it.each<[string, string]>([
    ['is disabled', 'is_enabled = false'],
    ['gets another secret', `webhook_secret_hash = '\\x00'`],
    ['no longer has a webhook', `trigger = 'manual'`],
    ['now reads its dedupe value from the payload', `webhook_config = '{"dedupe_path": "id"}'`],
    ['is deleted', `id = gen_random_uuid()`],
  ])('is not stored for a flow that in the meantime %s, and its key remains unused', async (_what, change) => {
    const flow = await suite().addFlow();
    const trigger = suite().build(flow, { id: 1 }, { key: 'one' });
    const announced = suite().announced.length;
    await setFlow(flow, change);
    expect(await suite().accept([trigger], how)).toEqual([{ kind: 'flow_changed' }]);
    expect(await suite().listExecutions(flow.id)).toEqual([]);
    const keys = await sql`select 1 from flows.idempotency_key where flow_id = ${flow.id}`.execute(suite().admin);
    expect(keys.rows).toEqual([]);
    expect(suite().announced).toHaveLength(announced);
  });

  it('with a wrong secret is not stored; with a token it requires no secret', async () => {
    const flow = await suite().addFlow();
    expect(await suite().accept([suite().build(flow, {}, { secretHash: wrongSecret })], how)).toEqual([
      { kind: 'flow_changed' },
    ]);
    expect(kinds(await suite().accept([suite().build(flow, {}, { secretHash: null })], how))).toEqual(['accepted']);
  });

  it('with a key used in the last 24 hours gets the first execution, and is refused with a different body', async () => {
    const flow = await suite().addFlow();
    const send = (payload: object) => suite().accept([suite().build(flow, payload, { key: 'build-7' })], how);
    const [first] = await send({ n: 1 });
    expect(await send({ n: 1 })).toEqual([{ kind: 'deduplicated', execution: { id: idOf(first), status: 'PENDING' } }]);
    expect(await send({ n: 2 })).toEqual([{ kind: 'key_reused' }]);
    suite().clock.advance(24 * 3_600_000 + 1);
    const [later] = await send({ n: 2 });
    expect(later?.kind).toBe('accepted');
    expect(await send({ n: 2 })).toMatchObject([{ kind: 'deduplicated', execution: { id: idOf(later) } }]);
    expect(await suite().listExecutions(flow.id)).toHaveLength(2);
  });

  it('does not share its key with triggers of other flows', async () => {
    const flows = [await suite().addFlow(), await suite().addFlow()];
    const outcomes = await suite().accept(
      flows.map((flow) => suite().build(flow, { n: 1 }, { key: 'same' })),
      how,
    );
    expect(kinds(outcomes)).toEqual(['accepted', 'accepted']);
  });
});

describe('triggers in one statement', () => {
  it('get their results in order, independently', async () => {
    const [flow, off] = [await suite().addFlow(), await suite().addFlow({ is_enabled: false })];
    await suite().accept([suite().build(flow, { n: 0 }, { key: 'known' })]);
    const outcomes = await suite().accept([
      suite().build(off, { n: 1 }),
      suite().build(flow, { n: 2 }),
      suite().build(flow, { n: 3 }, { key: 'known' }),
      suite().build(flow, { n: 4 }, { secretHash: wrongSecret }),
      suite().build(flow, { n: 5 }, { key: 'new' }),
      suite().build(flow, { n: 5 }, { key: 'new' }),
      suite().build(flow, { n: 6 }, { key: 'new' }),
    ]);
    expect(kinds(outcomes)).toEqual([
      'flow_changed',
      'accepted',
      'key_reused',
      'flow_changed',
      'accepted',
      'deduplicated',
      'key_reused',
    ]);
    expect(idOf(outcomes[5])).toBe(idOf(outcomes[4]));
    const payloads = (await suite().listExecutions(flow.id)).map((row) => row.trigger_event_details.payload.n);
    // Ids ascend in the order of the list.
    expect(payloads).toEqual([0, 2, 5]);
  });

  it('that have one key and two secrets: the sender with the valid secret gets the execution, the other gets no information', async () => {
    const flow = await suite().addFlow();
    const triggers = [wrongSecret, flow.webhook_secret_hash, wrongSecret].map((secretHash) =>
      suite().build(flow, { n: 1 }, { key: 'one', secretHash }),
    );
    expect(kinds(await suite().accept(triggers))).toEqual(['flow_changed', 'accepted', 'flow_changed']);
  });

  it('are all refused if one of them cannot be stored', async () => {
    const flow = await suite().addFlow();
    const announced = suite().announced.length;
    const poison = { ...suite().build(flow), details: '{"payload":' };
    await expect(suite().accept([suite().build(flow), poison])).rejects.toThrow(/json/);
    expect(await suite().listExecutions(flow.id)).toEqual([]);
    expect(await readAudited(flow)).toEqual([]);
    expect(suite().announced).toHaveLength(announced);
  });

  it('skip a locked flow; a trigger that waits for the flow succeeds', async () => {
    const [locked, free] = [await suite().addFlow(), await suite().addFlow()];
    const waiting = await suite()
      .admin.transaction()
      .execute(async (trx) => {
        await sql`select 1 from flows.flow where id = ${locked.id} for update`.execute(trx);
        const outcomes = await suite().accept([suite().build(locked), suite().build(free)]);
        expect(kinds(outcomes)).toEqual(['flow_changed', 'accepted']);
        const patient = suite().accept([suite().build(locked)], { waits: true });
        await eventually(async () => {
          const { rows } = await sql`select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%for key share%'`.execute(
            suite().gateway,
          );
          return rows.length > 0;
        });
        // The promise is wrapped in an object, so that the transaction does not wait for it.
        return { patient };
      });
    expect(kinds(await waiting.patient)).toEqual(['accepted']);
  });

  it('can be an empty list', async () => {
    expect(await suite().accept([])).toEqual([]);
  });
});

describe('files for the workspace', () => {
  const files = [{ path: './docs//a.txt', content_base64: Buffer.from('hello').toString('base64') }];

  it('are stored as rows with the execution; the payload contains only their lengths', async () => {
    const flow = await suite().addFlow();
    const outcomes = await suite().accept([suite().build(flow, { workspace_files: files }), suite().build(flow, {})]);
    expect(kinds(outcomes)).toEqual(['accepted', 'accepted']);
    const stored = await sql`select path, convert_from(content, 'utf8') as content, account_id
      from flows.execution_workspace_file where execution_id = ${idOf(outcomes[0])}`.execute(suite().admin);
    expect(stored.rows).toEqual([{ path: 'docs/a.txt', content: 'hello', account_id: flow.account_id }]);
    const rows = await suite().listExecutions(flow.id);
    const details = rows.find(({ id }) => id === idOf(outcomes[0]))?.trigger_event_details;
    expect(details?._workspace_file_paths).toEqual(['docs/a.txt']);
    expect(JSON.stringify(details)).not.toContain(files[0]?.content_base64);
    const audited = await readAudited(flow);
    expect(audited.map((row) => row.details)).toContainEqual({ execution_id: idOf(outcomes[0]), workspace_files: 1 });
  });

  it('are stored only once for a repeated key', async () => {
    const flow = await suite().addFlow();
    const send = () => suite().accept([suite().build(flow, { workspace_files: files }, { key: 'k' })]);
    const [[first], [second]] = [await send(), await send()];
    expect([second?.kind, idOf(second)]).toEqual(['deduplicated', idOf(first)]);
    const stored =
      await sql`select 1 from flows.execution_workspace_file where account_id = ${flow.account_id}`.execute(
        suite().admin,
      );
    expect(stored.rows).toHaveLength(1);
  });
});

describe('the idempotency key of a refused body', () => {
  it('returns its execution, whatever the body, or nothing if it is unused', async () => {
    const flow = await suite().addFlow();
    const [first] = await suite().accept([suite().build(flow, { n: 1 }, { key: 'used' })]);
    const ask = (key: string, body: string) =>
      findRepeatedTrigger(suite().gateway, { flowId: flow.id, key, body: Buffer.from(body), now: suite().clock.now() });
    expect(await ask('used', '{"n":1}')).toEqual({
      kind: 'deduplicated',
      execution: { id: idOf(first), status: 'PENDING' },
    });
    expect(await ask('used', '{')).toEqual({ kind: 'key_reused' });
    expect(await ask('unused', '{')).toBeUndefined();
    suite().clock.advance(24 * 3_600_000 + 1);
    expect(await ask('used', '{')).toBeUndefined();
  });
});
