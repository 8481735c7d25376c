import { firstIdAt, newId } from '@steward/crypto';
import { useOpened } from '@steward/testing';
import { openFlows } from '../../testing/open-flows.ts';
import { retainExecutions } from './retain-executions.ts';

const suite = useOpened(openFlows);
const DAY_MS = 86_400_000;
const { signal } = new AbortController();
const retain = (days: number, more = signal) => retainExecutions(suite().gateway, { days, signal: more, pauseMs: 5 });
const query = <Row extends object>(text: string, values: readonly unknown[] = []) => suite().query<Row>(text, values);

async function addAccount(): Promise<string> {
  const accountId = newId();
  await query(`insert into gateway.account (id, name) values ($1, 'an account')`, [accountId]);
  return accountId;
}

interface Stored {
  readonly status?: string;
  /** How many days ago its session was active last; undefined for an execution without a session. */
  readonly activeDays?: number;
  readonly isHeld?: boolean;
  readonly files?: number;
}

/** Stores an execution that ended a number of days ago, or has not ended if its status says so. */
async function store(
  accountId: string,
  days: number,
  { status = 'SUCCEEDED', activeDays = days, isHeld = false, files = 0 }: Stored = {},
): Promise<string> {
  const endedAt = new Date(Date.now() - days * DAY_MS);
  const beganAt = new Date(endedAt.getTime() - 60_000);
  const id = firstIdAt(beganAt).slice(0, 19) + newId().slice(19);
  const sessionId = newId();
  const isEnded = ['SUCCEEDED', 'FAILED', 'STOPPED'].includes(status);
  const activeAt = new Date(Date.now() - activeDays * DAY_MS);
  await query(
    `insert into flows.execution (id, account_id, flow_id, flow_name, status, trigger_type, trigger_event_details, created_at, finished_at,
       runtime_session_id) values ($1, $2, $3, 'nightly', $4, 'manual', '{}', $5, $6, $7)`,
    [id, accountId, newId(), status, beganAt, isEnded ? endedAt : null, sessionId],
  );
  await query(
    `insert into gateway.runtime_session (account_id, id, session_source_type, session_source_id, execution_id, legal_hold, started_at,
       last_activity_at, last_seen_at, created_at, updated_at, ended_at, end_reason)
     values ($1, $2, 'flow_execution', $3::text, $3::text::uuid, $4, $5, $6, $6, $5, $5, $7, $8)`,
    [
      accountId,
      sessionId,
      id,
      isHeld,
      beganAt,
      activeAt,
      isEnded ? endedAt : null,
      isEnded ? 'execution_finished' : null,
    ],
  );
  await query(
    `insert into flows.execution_workspace_file (execution_id, path, account_id, content)
     select $1, 'file-' || n, $2, 'text' from generate_series(1, $3::int) n`,
    [id, accountId, files],
  );
  return id;
}
const listIds = async (accountId: string) =>
  (await query<{ id: string }>('select id from flows.execution where account_id = $1 order by id', [accountId])).map(
    ({ id }) => id,
  );
const count = async (table: string, accountId: string) =>
  (await query<{ rows: number }>(`select count(*)::int as rows from ${table} where account_id = $1`, [accountId]))[0]
    ?.rows;

describe('EXECUTION_RETENTION_DAYS (PROC-24, EXEC-28)', () => {
  it('removes ended executions with their sessions and files, by the time of their end, in every account', async () => {
    const [accountId, stranger] = [await addAccount(), await addAccount()];
    for (const status of ['SUCCEEDED', 'FAILED', 'STOPPED']) await store(accountId, 31, { status, files: 2 });
    await store(stranger, 400);
    const young = [await store(accountId, 29, { files: 1 }), await store(accountId, 0)];
    expect(await retain(30)).toMatchObject({ removed: 4, kept: 0 });
    expect([await listIds(accountId), await listIds(stranger)]).toEqual([young, []]);
    expect(await count('flows.execution_workspace_file', accountId)).toBe(1);
    expect(await count('gateway.runtime_session', accountId)).toBe(2);
    // The rows of the sessions, and thereby the logs, are deleted in the background.
    expect(await count('gateway.session_deletion', accountId)).toBe(3);
    const audits = await query<object>(
      `select actor_kind, action, details from gateway.audit_log where account_id = $1 and resource_type = 'flow_execution'`,
      [accountId],
    );
    expect(audits).toMatchObject([
      { actor_kind: 'system', action: 'delete', details: { executions: 3, reason: 'retention' } },
    ]);
  });

  it('retains executions that have not ended, however old they are', async () => {
    const accountId = await addAccount();
    for (const status of ['PENDING', 'INITIALIZING', 'RUNNING']) await store(accountId, 90, { status });
    expect(await retain(30)).toMatchObject({ removed: 0 });
    expect(await listIds(accountId)).toHaveLength(3);
    await query(`update flows.execution set status = 'STOPPED', finished_at = now() where account_id = $1`, [
      accountId,
    ]);
    expect(await retain(30)).toMatchObject({ removed: 0 });
    await query('delete from flows.execution where account_id = $1', [accountId]);
  });

  it('retains executions that are young according to one of the two clocks', async () => {
    const accountId = await addAccount();
    await store(accountId, 90);
    const now = new Date(Date.now() - 61 * DAY_MS);
    expect(await retainExecutions(suite().gateway, { days: 30, signal, now })).toMatchObject({ removed: 0 });
    expect(await retain(30)).toMatchObject({ removed: 1 });
  });

  it('retains an execution as long as its session: under legal hold, or active since', async () => {
    const accountId = await addAccount();
    const held = await store(accountId, 90, { isHeld: true });
    const active = await store(accountId, 80, { activeDays: 2 });
    await store(accountId, 70);
    expect(await retain(30)).toMatchObject({ removed: 1, kept: 2 });
    expect(await listIds(accountId)).toEqual([held, active]);
    await query('update gateway.runtime_session set legal_hold = false where account_id = $1', [accountId]);
    expect(await retain(30)).toMatchObject({ removed: 1, kept: 1 });
    // An execution whose session was deleted by itself is removed by its own age.
    await query('delete from gateway.runtime_session where account_id = $1', [accountId]);
    expect(await retain(30)).toMatchObject({ removed: 1 });
  });

  it('works in short transactions and passes over what stays, however many executions there are', async () => {
    const accountId = await addAccount();
    const held = await store(accountId, 300, { isHeld: true });
    const ids = Array.from(
      { length: 450 },
      (_, at) => firstIdAt(new Date(Date.now() - (200 - at / 10) * DAY_MS)).slice(0, 19) + newId().slice(19),
    );
    await query(
      `insert into flows.execution (id, account_id, flow_id, flow_name, status, trigger_type, trigger_event_details, finished_at)
       select id, $1, $1, 'nightly', 'FAILED', 'manual', '{}', now() - interval '150 days' from unnest($2::uuid[]) id`,
      [accountId, ids],
    );
    const done = await Promise.all([retain(30), retain(30), retain(30)]);
    done.push(await retain(30));
    expect(done.reduce((sum, { removed }) => sum + removed, 0)).toBe(450);
    expect(await listIds(accountId)).toEqual([held]);
    const audits = await query<{ executions: number }>(
      `select (details->>'executions')::int as executions from gateway.audit_log where account_id = $1`,
      [accountId],
    );
    expect(Math.max(...audits.map(({ executions }) => executions))).toBeLessThanOrEqual(100);
  });

  it('waits while many deleted sessions still have rows, and continues in the same run', async () => {
    const accountId = await addAccount();
    await store(accountId, 90);
    await query(
      `insert into search.deleted_session (account_id, runtime_session_id) select $1, gen_random_uuid() from generate_series(1, 500)`,
      [accountId],
    );
    const retained = retain(30);
    await query('delete from search.deleted_session where account_id = $1', [accountId]);
    expect(await retained).toMatchObject({ removed: 1 });
  });

  it('continues with other accounts when one fails, and reports the failure at the end', async () => {
    const accounts = [await addAccount(), await addAccount(), await addAccount()].toSorted();
    for (const accountId of accounts) await store(accountId, 90);
    await query(
      `create function public.fail() returns trigger language plpgsql as $$ begin raise exception 'cannot be deleted'; end $$;
       create trigger fail before delete on flows.execution for each row when (old.account_id = '${accounts[1]}') execute function public.fail()`,
    );
    await expect(retain(30)).rejects.toThrow('cannot be deleted');
    await query('drop trigger fail on flows.execution; drop function public.fail()');
    expect(await Promise.all(accounts.map((accountId) => listIds(accountId).then(({ length }) => length)))).toEqual([
      0, 1, 0,
    ]);
  });
});
