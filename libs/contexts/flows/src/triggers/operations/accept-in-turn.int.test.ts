import { newId } from '@steward/crypto';
import { sql } from 'kysely';
import { useOpened } from '@steward/testing';
import type { ExecutionRow, FlowRow } from '../../schema.ts';
import { openFlows } from '../../testing/open-flows.ts';
import type { TriggerOutcome } from '../trigger.ts';
import { failLostExecution } from '../../executions/operations/fail-lost-execution.ts';
import { acceptInTurn } from './accept-in-turn.ts';
import { retryExecution } from './retry-execution.ts';

const suite = useOpened(openFlows);

const addFlow = (supersede = false) =>
  suite().addFlow({ webhook_config: { dedupe_path: 'pr', supersede_on_update: supersede } });
const send = async (flow: FlowRow, payload: object, key?: string): Promise<TriggerOutcome> => {
  const [outcome] = await suite().accept([suite().build(flow, payload, { key })]);
  return outcome as TriggerOutcome;
};
const idOf = (outcome: TriggerOutcome) => ('execution' in outcome ? outcome.execution.id : undefined);
const setStatus = (executionId: string | undefined, status: string) =>
  sql`update flows.execution set status = ${status}, finished_at = ${status === 'RUNNING' ? null : new Date()}
    where id = ${executionId}`.execute(suite().admin);
const rowsOf = async (flow: FlowRow): Promise<Pick<ExecutionRow, 'status' | 'error_message' | 'dedupe_value'>[]> =>
  (await suite().listExecutions(flow.id)).map(({ status, error_message, dedupe_value }) => ({
    status,
    error_message,
    dedupe_value,
  }));

describe('a trigger with a dedupe value', () => {
  it('joins the active execution with the same value, PENDING or RUNNING; other values start separate executions (FLOW-28)', async () => {
    const flow = await addFlow();
    const first = await send(flow, { pr: 7 });
    expect(await send(flow, { pr: 7 })).toMatchObject({ kind: 'deduplicated', execution: { id: idOf(first) } });
    await setStatus(idOf(first), 'RUNNING');
    expect(await send(flow, { pr: 7 })).toMatchObject({ kind: 'deduplicated', execution: { status: 'RUNNING' } });
    expect((await send(flow, { pr: '7' })).kind).toBe('accepted');
    expect((await send(flow, { other: 7 })).kind).toBe('accepted');
    expect((await send(flow, { other: 7 })).kind).toBe('accepted');
    expect((await send(await addFlow(), { pr: 7 })).kind).toBe('accepted');
    expect(await suite().listExecutions(flow.id)).toHaveLength(4);
  });

  describe('does not prevent the execution that it joins', () => {
    /** Runs `work` while a trigger that joins the execution is being accepted. */
    const whileJoining = async <T>(work: () => Promise<T>, lose = false) => {
      await sql`truncate flows.execution, flows.execution_workspace_file`.execute(suite().admin);
      const flow = await addFlow();
      const id = idOf(await send(flow, { pr: 7 }, 'one'));
      if (lose) {
        await suite().claim();
        await sql`update flows.execution set lease_until = now() - interval '1 second'`.execute(suite().admin);
      }
      const found = await suite().write(async (trx, hints) => {
        const trigger = suite().build(flow, { pr: 7 }, { key: 'two' });
        const joined = { kind: 'deduplicated', execution: { id } };
        expect(await acceptInTurn(trx, hints, trigger, suite())).toMatchObject(joined);
        return work();
      });
      return { id, found };
    };

    it('from being started (EXEC-4)', async () => {
      const { id, found } = await whileJoining(() => suite().claim());
      expect(found?.execution.id).toBe(id);
    });

    it('from being ended when its worker no longer runs (EXEC-6)', async () => {
      const fail = () =>
        suite().run((trx, hints) => failLostExecution(trx, hints, suite().clock.now(), suite().options));
      const { id, found } = await whileJoining(fail, true);
      expect(found).toMatchObject({ id, status: 'FAILED' });
    });
  });

  it('starts a new execution once the one with the same value has ended', async () => {
    const flow = await addFlow();
    await setStatus(idOf(await send(flow, { pr: 1 })), 'SUCCEEDED');
    expect((await send(flow, { pr: 1 })).kind).toBe('accepted');
  });

  it('replaces a pending execution, and stops a running one', async () => {
    const flow = await addFlow(true);
    await send(flow, { pr: 1, n: 1 });
    const second = await send(flow, { pr: 1, n: 2 });
    await setStatus(idOf(second), 'RUNNING');
    const third = await send(flow, { pr: 1, n: 3 });
    expect(await rowsOf(flow)).toEqual([
      { status: 'STOPPED', error_message: 'superseded by a newer trigger', dedupe_value: 'json:1' },
      { status: 'RUNNING', error_message: 'superseded by a newer trigger', dedupe_value: null },
      { status: 'PENDING', error_message: null, dedupe_value: 'json:1' },
    ]);
    const [, running] = await suite().listExecutions(flow.id);
    expect(running?.stop_requested_at).toEqual(suite().clock.now());
    expect(third.kind).toBe('accepted');
  });

  it('with a key that was used before supersedes nothing', async () => {
    const flow = await addFlow(true);
    const first = await send(flow, { pr: 1, n: 1 }, 'one');
    const second = await send(flow, { pr: 1, n: 2 }, 'two');
    expect(await send(flow, { pr: 1, n: 1 }, 'one')).toMatchObject({
      kind: 'deduplicated',
      execution: { id: idOf(first) },
    });
    expect((await send(flow, { pr: 1, n: 3 }, 'one')).kind).toBe('key_reused');
    const active = (await suite().listExecutions(flow.id)).filter(({ status }) => status === 'PENDING');
    expect(active.map(({ id }) => id)).toEqual([idOf(second)]);
  });

  it('binds its key to the execution that it joins, even after that execution has ended', async () => {
    const flow = await addFlow();
    const first = await send(flow, { pr: 1, n: 1 });
    expect(idOf(await send(flow, { pr: 1, n: 2 }, 'k'))).toBe(idOf(first));
    await setStatus(idOf(first), 'SUCCEEDED');
    expect(await send(flow, { pr: 1, n: 2 }, 'k')).toEqual({
      kind: 'deduplicated',
      execution: { id: idOf(first), status: 'SUCCEEDED' },
    });
  });

  it('leaves only one active execution after a burst, and all triggers are accepted (FLOW-29)', async () => {
    const flow = await addFlow(true);
    const outcomes = await Promise.all(Array.from({ length: 12 }, (_, n) => send(flow, { pr: 1, n }, `key-${n}`)));
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['accepted']));
    const rows = await suite().listExecutions(flow.id);
    expect(rows.map(({ status }) => status)).toEqual([...Array<string>(11).fill('STOPPED'), 'PENDING']);
  });

  it('stores its files, unless it joins another execution', async () => {
    const flow = await addFlow();
    const payload = { pr: 1, workspace_files: [{ path: 'a', content_base64: 'eA==' }] };
    const first = await send(flow, payload);
    await send(flow, payload);
    const stored = await sql<{ execution_id: string }>`
      select execution_id from flows.execution_workspace_file where account_id = ${flow.account_id}`.execute(
      suite().admin,
    );
    expect(stored.rows).toEqual([{ execution_id: idOf(first) }]);
  });
});

describe('a retry', () => {
  const retry = (flow: FlowRow, executionId: string, accountId = flow.account_id) =>
    suite().write((trx, hints) => retryExecution(trx, hints, { accountId, executionId }, suite()));
  const payload = { pr: 1, note: 'x', workspace_files: [{ path: 'a', content_base64: 'eA==' }] };

  it.each(['FAILED', 'STOPPED'])(
    'has the payload and files of an execution that %s, and is not deduplicated',
    async (status) => {
      const flow = await addFlow(true);
      const former = idOf(await send(flow, payload)) ?? '';
      await setStatus(former, status);
      const active = idOf(await send(flow, { pr: 1, note: 'newer' }));
      const outcome = await retry(flow, former);
      expect(outcome).toMatchObject({ kind: 'accepted', flowId: flow.id, execution: { status: 'PENDING' } });
      const rows = await suite().listExecutions(flow.id);
      const retried = rows.find((row) => row.retry_of_execution_id === former);
      expect(retried).toMatchObject({ trigger_type: 'webhook', dedupe_value: null, status: 'PENDING' });
      expect(retried?.trigger_event_details.payload).toEqual(rows[0]?.trigger_event_details.payload);
      expect(rows.find(({ id }) => id === active)?.status).toBe('PENDING');
      expect(suite().announced).toContain(retried?.id);
      const files =
        await sql`select path, content from flows.execution_workspace_file where execution_id = ${retried?.id}`.execute(
          suite().admin,
        );
      expect(files.rows).toEqual([{ path: 'a', content: Buffer.from('x') }]);
    },
  );

  it('is created only once per request', async () => {
    const flow = await addFlow();
    const former = idOf(await send(flow, {})) ?? '';
    await setStatus(former, 'FAILED');
    const outcomes = await Promise.all([retry(flow, former), retry(flow, former)]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['accepted', 'accepted']);
  });

  it.each<[string, (flow: FlowRow, id: string) => Promise<unknown>, string]>([
    ['waits', () => Promise.resolve(), 'not_retryable'],
    ['runs', (_flow, id) => setStatus(id, 'RUNNING'), 'not_retryable'],
    ['succeeded', (_flow, id) => setStatus(id, 'SUCCEEDED'), 'not_retryable'],
    [
      'no longer has a flow',
      async (flow, id) => {
        await setStatus(id, 'FAILED');
        await sql`delete from flows.flow where id = ${flow.id}`.execute(suite().admin);
      },
      'flow_gone',
    ],
    [
      'has a disabled flow',
      async (flow, id) => {
        await setStatus(id, 'FAILED');
        await sql`update flows.flow set is_enabled = false where id = ${flow.id}`.execute(suite().admin);
      },
      'flow_disabled',
    ],
  ])('of one that %s is refused', async (_what, change, kind) => {
    const flow = await addFlow();
    const id = idOf(await send(flow, {})) ?? '';
    await change(flow, id);
    expect(await retry(flow, id)).toEqual({ kind });
    expect(await suite().listExecutions(flow.id)).toHaveLength(1);
  });

  it('is possible only within the same account', async () => {
    const flow = await addFlow();
    const id = idOf(await send(flow, {})) ?? '';
    await setStatus(id, 'FAILED');
    expect(await retry(flow, id, newId())).toEqual({ kind: 'not_found' });
    expect(await retry(flow, newId())).toEqual({ kind: 'not_found' });
  });
});
