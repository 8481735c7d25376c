import { newId } from '@steward/crypto';
import { sql } from 'kysely';
import { useOpened } from '@steward/testing';
import { openFlows } from '../../testing/open-flows.ts';
import { enterLease, extendLease, listEndedExecutions, markRunning } from '../store/lease.store.ts';
import { failLostExecution } from './fail-lost-execution.ts';
import { finishExecution, type ExecutionEnd } from './finish-execution.ts';
import { loadWorkspaceFiles } from './load-workspace-files.ts';
import { stopExecution } from './stop-execution.ts';

const suite = useOpened(openFlows);
beforeEach(() => sql`truncate flows.execution, flows.execution_workspace_file`.execute(suite().admin));

const stop = (execution: { id: string; account_id: string }, accountId = execution.account_id) =>
  suite().write((trx, hints) =>
    stopExecution(trx, hints, { accountId, executionId: execution.id, now: suite().clock.now() }, suite().options),
  );
const loseLease = (executionId: string) =>
  sql`update flows.execution set lease_until = now() - interval '1 second' where id = ${executionId}`.execute(
    suite().admin,
  );
const failLost = () => suite().run((trx, hints) => failLostExecution(trx, hints, suite().clock.now(), suite().options));
const finish = (lease: { executionId: string; token: string }, end: Partial<ExecutionEnd> = {}) => {
  const whole = {
    status: 'SUCCEEDED',
    failureCategory: null,
    errorMessage: null,
    now: suite().clock.now(),
    ...end,
  } as const;
  return suite().run((trx, hints) => finishExecution(trx, hints, lease, whole, suite().options));
};
const take = async () => {
  const claimed = await suite().claim();
  if (claimed === undefined) throw new Error('nothing waits');
  return claimed;
};

describe('a claim', () => {
  it('gets the oldest pending execution, with a new session, or nothing if there is none', async () => {
    const flow = await suite().addFlow();
    const first = await suite().start(flow);
    suite().clock.advance(1000);
    await suite().start(flow);
    const { execution, lease } = await take();
    expect(execution).toMatchObject({
      id: first.id,
      status: 'INITIALIZING',
      lease_token: lease.token,
      worker_id: 'worker-1',
      runtime_session_id: expect.any(String),
    });
    const session = await sql`select account_id, session_source_type, session_source_id, runtime_principal_id, title
      from gateway.runtime_session where id = ${execution.runtime_session_id}`.execute(suite().admin);
    expect(session.rows).toEqual([
      {
        account_id: flow.account_id,
        session_source_type: 'flow_execution',
        session_source_id: first.id,
        runtime_principal_id: flow.id,
        title: `${flow.name} (webhook)`,
      },
    ]);
    await take();
    expect(await suite().claim()).toBeUndefined();
  });

  it('skips excluded executions, executions to be stopped, and accounts at their limit', async () => {
    const [one, other] = [await suite().addFlow(), await suite().addFlow()];
    const [first, second] = [await suite().start(one), await suite().start(one)];
    expect((await suite().claim({ avoided: [first.id] }))?.execution.id).toBe(second.id);
    expect(await suite().claim({ accountLimit: 1 })).toBeUndefined();
    // One of the two slots is reserved for other accounts.
    expect(await suite().claim({ places: 2 })).toBeUndefined();
    const third = await suite().start(other);
    expect((await suite().claim({ accountLimit: 1 }))?.execution.id).toBe(third.id);
    expect((await suite().claim({ places: 2, workerId: 'worker-2' }))?.execution.id).toBe(first.id);
  });

  it('selects the least recently served of the accounts with equally few runs', async () => {
    const flows = [await suite().addFlow(), await suite().addFlow()];
    for (const flow of flows) await suite().start(flow);
    const [a, b] = flows.map((flow) => flow.account_id).sort();
    expect((await suite().claim({ servedLast: a }))?.execution.account_id).toBe(b);
    expect((await suite().claim({ servedLast: b }))?.execution.account_id).toBe(a);
  });

  it('succeeds only once per execution, however many processes try', async () => {
    await suite().start(await suite().addFlow());
    const claims = await Promise.all(Array.from({ length: 6 }, (_, n) => suite().claim({ workerId: `worker-${n}` })));
    expect(claims.filter((claimed) => claimed !== undefined)).toHaveLength(1);
  });
});

describe('a lease', () => {
  it('is valid only with its token, reports a stop, and is lost when it is taken over', async () => {
    await suite().start(await suite().addFlow());
    const { execution, lease } = await take();
    const extend = (token = lease.token) => extendLease(suite().worker, { ...lease, token, leaseSeconds: 30 });
    expect([await extend(), await extend(newId())]).toEqual(['held', 'lost']);
    await stop(execution);
    expect(await extend()).toBe('stop');
    await loseLease(execution.id);
    expect(await failLost()).toMatchObject({ id: execution.id, status: 'STOPPED', failure_category: 'cancelled' });
    expect(await extend()).toBe('lost');
  });

  it('allows its worker to mark the execution RUNNING once, with its prompt', async () => {
    await suite().start(await suite().addFlow());
    const { execution, lease } = await take();
    expect(await markRunning(suite().worker, { ...lease, token: newId(), prompt: 'not mine' })).toBe(false);
    expect(await markRunning(suite().worker, { ...lease, prompt: 'do it' })).toBe(true);
    expect(await markRunning(suite().worker, { ...lease, prompt: 'again' })).toBe(false);
    const [row] = await suite().listExecutions(execution.flow_id);
    expect([row?.status, row?.resolved_input_prompt]).toEqual(['RUNNING', 'do it']);
  });

  it('gives the worker access to the session of its execution, which it does not have without the lease', async () => {
    await suite().start(await suite().addFlow());
    const { execution, lease } = await take();
    const countSessions = (token: string) =>
      suite().run(async (trx) => {
        await enterLease(trx, { ...lease, token });
        return (await sql`select id from gateway.runtime_session`.execute(trx)).rows;
      });
    expect(await countSessions(lease.token)).toEqual([{ id: execution.runtime_session_id }]);
    expect(await countSessions(newId())).toEqual([]);
  });

  it('that has expired makes the execution FAILED, once; an active lease is not changed', async () => {
    const flow = await suite().addFlow();
    await suite().start(flow);
    const { execution } = await take();
    expect(await failLost()).toBeUndefined();
    await loseLease(execution.id);
    const [ended, none] = [await failLost(), await failLost()];
    expect(ended).toMatchObject({
      id: execution.id,
      status: 'FAILED',
      failure_category: 'runner_error',
      lease_token: null,
    });
    expect(none).toBeUndefined();
    expect(await listEndedExecutions(suite().worker, [execution.id, newId()])).toEqual([execution.id]);
  });
});

describe('the files of an execution', () => {
  it('are returned only to the worker that holds its lease', async () => {
    const files = [
      { path: 'b', content_base64: 'Yg==' },
      { path: 'a/c', content_base64: '' },
    ];
    await suite().start(await suite().addFlow(), { workspace_files: files });
    const { execution } = await take();
    expect(await loadWorkspaceFiles(suite().worker, execution)).toEqual({
      kind: 'valid',
      files: [
        { path: 'a/c', content: Buffer.alloc(0) },
        { path: 'b', content: Buffer.from('b') },
      ],
    });
    const stolen = {
      ...execution,
      lease_token: newId(),
      trigger_event_details: { ...execution.trigger_event_details, payload: {} },
    };
    expect(await loadWorkspaceFiles(suite().worker, stolen)).toEqual({ kind: 'valid', files: [] });
  });

  it('are validated again in case they bypassed the API', async () => {
    const flow = await suite().addFlow();
    const { id } = await suite().start(flow);
    const payload = { workspace_files: [{ path: '../x', content_base64: '' }] };
    await sql`update flows.execution set trigger_event_details = ${JSON.stringify({ payload })} where id = ${id}`.execute(
      suite().admin,
    );
    const { execution } = await take();
    expect(await loadWorkspaceFiles(suite().worker, execution)).toMatchObject({ kind: 'invalid', path: '../x' });
  });
});

describe('the end of an execution', () => {
  it('is written once, with its result, and ends its session; a late worker can write nothing', async () => {
    await suite().start(await suite().addFlow());
    const { execution, lease } = await take();
    suite().clock.advance(5000);
    const outcome = await finish(lease, { result: { nul: 'a\u0000b' } });
    expect(outcome).toMatchObject({
      kind: 'finished',
      execution: {
        status: 'SUCCEEDED',
        result: { nul: 'a\ufffdb' },
        finished_at: suite().clock.now(),
        lease_token: null,
      },
    });
    expect(await finish(lease, { status: 'FAILED', failureCategory: 'agent_error' })).toEqual({ kind: 'lost' });
    const session =
      await sql`select ended_at from gateway.runtime_session where id = ${execution.runtime_session_id}`.execute(
        suite().admin,
      );
    expect(session.rows).toEqual([{ ended_at: suite().clock.now() }]);
  });

  it('is not written with another token', async () => {
    await suite().start(await suite().addFlow());
    const { execution, lease } = await take();
    expect(await finish({ ...lease, token: newId() })).toEqual({ kind: 'lost' });
    expect((await suite().listExecutions(execution.flow_id))[0]?.status).toBe('INITIALIZING');
  });

  it('contains the beginning of a very long message, and the reason given by the user who stopped it', async () => {
    const flow = await suite().addFlow();
    await suite().start(flow);
    const first = await take();
    const long = { status: 'FAILED', failureCategory: 'agent_error', errorMessage: 'x'.repeat(10_000) } as const;
    expect(await finish(first.lease, long)).toMatchObject({ execution: { error_message: 'x'.repeat(4000) } });
    await suite().start(flow);
    const second = await take();
    await stop(second.execution);
    const stopped = { status: 'STOPPED', failureCategory: 'cancelled', errorMessage: 'the worker' } as const;
    expect(await finish(second.lease, stopped)).toMatchObject({ execution: { error_message: 'stopped on request' } });
  });
});

describe('stopping an execution', () => {
  it('immediately ends a pending execution, which can no longer be claimed', async () => {
    const execution = await suite().start(await suite().addFlow());
    expect(await stop(execution)).toMatchObject({
      kind: 'stopping',
      execution: { status: 'STOPPED', failure_category: 'cancelled', error_message: 'stopped on request' },
    });
    expect(await suite().claim()).toBeUndefined();
  });

  it('marks a running execution, stores the time of the first request, and releases its dedupe value', async () => {
    const flow = await suite().addFlow({ webhook_config: { dedupe_path: 'pr' } });
    await suite().start(flow, { pr: 1 });
    const { execution } = await take();
    const asked = suite().clock.now();
    await stop(execution);
    suite().clock.advance(1000);
    expect(await stop(execution)).toMatchObject({
      kind: 'stopping',
      execution: { status: 'INITIALIZING', stop_requested_at: asked, dedupe_value: null },
    });
    expect((await suite().start(flow, { pr: 1 })).status).toBe('PENDING');
  });

  it('does not change an execution that has ended, or one of another account', async () => {
    const execution = await suite().start(await suite().addFlow());
    expect(await stop(execution, newId())).toEqual({ kind: 'not_found' });
    await stop(execution);
    expect(await stop(execution)).toMatchObject({ kind: 'already_finished', execution: { status: 'STOPPED' } });
  });
});
