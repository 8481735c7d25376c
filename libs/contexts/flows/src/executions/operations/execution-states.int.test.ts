import fc from 'fast-check';
import { newId } from '@steward/crypto';
import { sql } from 'kysely';
import { useOpened } from '@steward/testing';
import type { ExecutionRow, FlowRow } from '../../schema.ts';
import { openFlows } from '../../testing/open-flows.ts';
import { FAILURE_CATEGORIES, isTerminal, type ExecutionStatus } from '../rules/execution-status.ts';
import { extendLease, markRunning } from '../store/lease.store.ts';
import { failLostExecution } from './fail-lost-execution.ts';
import { finishExecution } from './finish-execution.ts';
import { stopExecution } from './stop-execution.ts';

/** Allowed next statuses (EXEC-1). */
const NEXT: Readonly<Record<ExecutionStatus, readonly ExecutionStatus[]>> = {
  PENDING: ['INITIALIZING', 'STOPPED'],
  INITIALIZING: ['RUNNING', 'SUCCEEDED', 'FAILED', 'STOPPED'],
  RUNNING: ['SUCCEEDED', 'FAILED', 'STOPPED'],
  SUCCEEDED: [],
  FAILED: [],
  STOPPED: [],
};

const suite = useOpened(openFlows);
beforeEach(() => sql`truncate flows.execution, flows.execution_workspace_file`.execute(suite().admin));

/** Actions of a client, a worker (which may crash) and the reconciler on the executions of a flow, in any order. */
type Step =
  'start' | 'claim' | 'run' | 'heartbeat' | 'stop' | 'succeed' | 'fail' | 'end stopped' | 'lose' | 'reconcile';
const steps = fc.array(
  fc.record({
    step: fc.constantFrom<Step>(
      ...([
        'start',
        'claim',
        'run',
        'heartbeat',
        'stop',
        'succeed',
        'fail',
        'end stopped',
        'lose',
        'reconcile',
      ] as const),
    ),
    pick: fc.nat(9),
  }),
  { minLength: 5, maxLength: 25 },
);

async function take(
  flow: FlowRow,
  leases: { executionId: string; token: string }[],
  { step, pick }: { step: Step; pick: number },
) {
  const now = suite().clock.now();
  const lease = leases[pick % Math.max(1, leases.length)] ?? { executionId: newId(), token: newId() };
  const finish = (status: 'SUCCEEDED' | 'FAILED' | 'STOPPED') => {
    const failureCategory = { SUCCEEDED: null, FAILED: 'agent_error', STOPPED: 'cancelled' } as const;
    const end = { status, failureCategory: failureCategory[status], errorMessage: null, now } as const;
    return suite().run((trx, hints) => finishExecution(trx, hints, lease, end, suite().options));
  };
  switch (step) {
    case 'start':
      return suite().start(flow);
    case 'claim': {
      const claimed = await suite().claim();
      if (claimed !== undefined) leases.push(claimed.lease);
      return claimed;
    }
    case 'run':
      return markRunning(suite().worker, { ...lease, prompt: 'x' });
    case 'heartbeat':
      return extendLease(suite().worker, { ...lease, leaseSeconds: 30 });
    case 'stop': {
      const rows = await suite().listExecutions(flow.id);
      const executionId = rows[pick % Math.max(1, rows.length)]?.id ?? newId();
      const input = { accountId: flow.account_id, executionId, now };
      return suite().write((trx, hints) => stopExecution(trx, hints, input, suite().options));
    }
    case 'succeed':
      return finish('SUCCEEDED');
    case 'fail':
      return finish('FAILED');
    case 'end stopped':
      return finish('STOPPED');
    case 'lose':
      return sql`update flows.execution set lease_until = now() - interval '1 second'
        where id = ${lease.executionId}::uuid and status in ('INITIALIZING', 'RUNNING')`.execute(suite().admin);
    case 'reconcile':
      return suite().run((trx, hints) => failLostExecution(trx, hints, now, suite().options));
  }
}

/** Creates a flow without executions, and a list for the leases of its executions. */
async function beginHistory() {
  await sql`truncate flows.execution, flows.execution_workspace_file`.execute(suite().admin);
  const leases: { executionId: string; token: string }[] = [];
  return { flow: await suite().addFlow(), leases };
}

function expectStep(former: ExecutionRow, row: ExecutionRow): void {
  if (former.status !== row.status) expect(NEXT[former.status]).toContain(row.status);
  // An execution that has ended does not change anymore, in any column (EXEC-1).
  if (isTerminal(former.status)) expect(row).toEqual(former);
}

function expectSound(row: ExecutionRow): void {
  const failed = row.status === 'FAILED' || row.status === 'STOPPED';
  expect(row.failure_category !== null).toBe(failed);
  if (row.failure_category !== null) expect(FAILURE_CATEGORIES).toContain(row.failure_category);
  expect(row.finished_at !== null).toBe(isTerminal(row.status));
  expect(row.lease_token !== null).toBe(row.status === 'INITIALIZING' || row.status === 'RUNNING');
}

describe('the state of an execution', () => {
  it('changes only as allowed, and does not change once it is final (EXEC-1, EXEC-2)', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (history) => {
        const { flow, leases } = await beginHistory();
        let known = new Map<string, ExecutionRow>();
        for (const step of history) {
          await take(flow, leases, step);
          const rows = await suite().listExecutions(flow.id);
          for (const row of rows) {
            const former = known.get(row.id);
            if (former !== undefined) expectStep(former, row);
            expectSound(row);
          }
          known = new Map(rows.map((row) => [row.id, row]));
        }
        // No execution is ever given to a second worker (EXEC-6).
        expect(new Set(leases.map(({ executionId }) => executionId)).size).toBe(leases.length);
      }),
      { numRuns: 20 },
    );
  });

  it('ends the session together with the execution, in one transaction (EXEC-7)', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (history) => {
        const { flow, leases } = await beginHistory();
        for (const step of history) await take(flow, leases, step);
        const { rows } = await sql<{ status: ExecutionStatus; ended_at: Date | null; end_reason: string | null }>`
          select e.status, s.ended_at, s.end_reason from flows.execution e
          join gateway.runtime_session s on s.id = e.runtime_session_id where e.flow_id = ${flow.id}
        `.execute(suite().admin);
        for (const { status, ended_at: endedAt, end_reason: reason } of rows)
          expect([endedAt !== null, reason]).toEqual(isTerminal(status) ? [true, 'execution_finished'] : [false, null]);
      }),
      { numRuns: 10 },
    );
  });
});
