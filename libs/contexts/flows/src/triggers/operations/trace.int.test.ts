import { beginTrace, readTraceId } from '@steward/crypto';
import { sql } from 'kysely';
import { stopExecution } from '../../executions/operations/stop-execution.ts';
import { failLostExecution } from '../../executions/operations/fail-lost-execution.ts';
import { finishExecution } from '../../executions/operations/finish-execution.ts';
import type { ExecutionRow, FlowRow } from '../../schema.ts';
import { openFlows, type OpenFlows } from '../../testing/open-flows.ts';
import { retryExecution } from './retry-execution.ts';

let suite: OpenFlows;
beforeAll(async () => {
  suite = await openFlows();
});
beforeEach(() => sql`truncate flows.execution`.execute(suite.admin));
afterAll(() => suite.close());

const only = async (flow: FlowRow): Promise<ExecutionRow> => {
  const [execution] = await suite.listExecutions(flow.id);
  if (execution === undefined) throw new Error('none was accepted');
  return execution;
};
/** Adds an endpoint to the account, because an event is written only if some endpoint receives it. */
const listen = (flow: FlowRow) =>
  sql`insert into webhooks.endpoint (id, account_id, url) values (gen_random_uuid(), ${flow.account_id}, 'http://a/')`.execute(
    suite.admin,
  );
const readEvents = async (flow: FlowRow) => {
  const { rows } = await sql<{ type: string; event: string | null; delivery: string | null }>`
    select e.type, e.traceparent as event, d.traceparent as delivery
    from webhooks.event e join webhooks.delivery d on d.event_id = e.id and d.account_id = e.account_id
    where e.account_id = ${flow.account_id} order by e.type
  `.execute(suite.admin);
  return rows;
};
const ended = { failureCategory: null, errorMessage: null, status: 'SUCCEEDED' } as const;

describe('the trace of an execution (EXEC-22)', () => {
  it.each([
    ['together with others', { waits: false }],
    ['individually', { waits: true }],
  ])('is that of its trigger, accepted %s; the row and the message have separate spans', async (_way, how) => {
    const flows = [await suite.addFlow(), await suite.addFlow()];
    const traces = flows.map(() => beginTrace());
    suite.hints.length = 0;
    await suite.accept(
      flows.map((flow, n) => suite.build(flow, {}, { traceparent: traces[n] as string })),
      how,
    );
    for (const [n, flow] of flows.entries()) {
      const execution = await only(flow);
      const hint = suite.hints.find(({ payload }) => payload.execution_id === execution.id)?.payload.traceparent;
      const all = [traces[n], execution.traceparent, hint];
      expect(all.map(readTraceId)).toEqual(Array(3).fill(readTraceId(traces[n])));
      expect(new Set(all).size).toBe(3);
    }
  });

  it('is that of the retry request if it is a retry', async () => {
    const flow = await suite.addFlow();
    const former = await suite.start(flow);
    await sql`update flows.execution set status = 'FAILED', finished_at = now() where id = ${former.id}`.execute(
      suite.admin,
    );
    const asked = await suite.write(async (trx, hints) => {
      await retryExecution(trx, hints, { accountId: flow.account_id, executionId: former.id }, suite);
      return hints.traceparent;
    });
    const [, again] = await suite.listExecutions(flow.id);
    expect(readTraceId(again?.traceparent)).toBe(readTraceId(asked));
    expect(again?.traceparent).not.toBe(asked);
  });

  it.each<[string, (execution: ExecutionRow) => Promise<unknown>]>([
    [
      'stopped before it ran',
      ({ id, account_id: accountId }) =>
        suite.write((trx, hints) =>
          stopExecution(trx, hints, { accountId, executionId: id, now: suite.clock.now() }, suite.options),
        ),
    ],
    [
      'completed',
      async () => {
        const claimed = await suite.claim();
        await suite.run((trx, hints) =>
          finishExecution(trx, hints, claimed!.lease, { ...ended, now: suite.clock.now() }, suite.options),
        );
      },
    ],
    [
      'lost with its worker',
      async ({ id }) => {
        await suite.claim();
        await sql`update flows.execution set lease_until = now() - interval '1 second' where id = ${id}`.execute(
          suite.admin,
        );
        await suite.run((trx, hints) => failLostExecution(trx, hints, suite.clock.now(), suite.options));
      },
    ],
  ])('continues in its events and their deliveries, however it ends: %s', async (_what, end) => {
    const flow = await suite.addFlow();
    await listen(flow);
    const execution = await suite.start(flow);
    await end(execution);
    const events = await readEvents(flow);
    expect(events.map(({ type }) => type)).toContain('flow.execution.finished');
    const all = events.flatMap(({ event, delivery }) => [event, delivery]);
    expect(new Set(all.map(readTraceId))).toEqual(new Set([readTraceId(execution.traceparent)]));
    expect(new Set([...all, execution.traceparent]).size).toBe(all.length + 1);
  });

  it('begins with the claim if the row was created by an earlier gateway, and includes its events', async () => {
    const flow = await suite.addFlow();
    await listen(flow);
    const { id } = await suite.start(flow);
    await sql`update flows.execution set traceparent = null where id = ${id}`.execute(suite.admin);
    const claimed = await suite.claim();
    expect(readTraceId(claimed?.execution.traceparent)).toBeDefined();
    await suite.run((trx, hints) =>
      finishExecution(trx, hints, claimed!.lease, { ...ended, now: suite.clock.now() }, suite.options),
    );
    for (const { event, delivery } of await readEvents(flow))
      expect([readTraceId(event), readTraceId(event)]).toEqual([expect.any(String), readTraceId(delivery)]);
  });
});
