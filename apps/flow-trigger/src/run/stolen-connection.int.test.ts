import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createSecretBox, newId } from '@steward/crypto';
import { transact } from '@steward/database';
import { createEndpoint } from '@steward/webhooks';
import { eventually } from '@steward/testing';
import { startTestWorker, type TestWorker } from '../testing/start-worker.ts';
import { TABLES, WRITES, type Known } from '../testing/stolen-statements.ts';

/**
 * An attacker has the worker's database connection and tries to reach an account whose execution the real worker runs.
 */
describe('an attacker with the worker’s database connection', () => {
  let worker: TestWorker;
  let thief: pg.Client;
  let known: Known;
  let own: { account: string; execution: string; session: string; endpoint: string; lease: string };

  const owner = <T extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
    worker.database.pool.query<T>(text, values);
  const listen = async (accountId: string): Promise<string> => {
    const box = createSecretBox('a-secret-key-for-tests-only-0123456789', 'webhook-endpoint');
    const url = 'https://receiver.example.test/?token=secret';
    const created = await transact({ db: worker.database.db, broker: { publishHint: () => undefined } }, (trx) =>
      createEndpoint(trx, { accountId, url, description: '', eventTypes: [] }, box),
    );
    expect(created.kind).toBe('created');
    return (
      (await owner<{ id: string }>('select id from webhooks.endpoint where account_id = $1', [accountId])).rows[0]
        ?.id ?? ''
    );
  };

  beforeAll(async () => {
    worker = await startTestWorker({ FLOW_RECONCILE_SECONDS: '600', FLOW_STOP_GRACE_SECONDS: '1' });
    const victim = worker.accountId;
    const endpoint = await listen(victim);
    const files = { workspace_files: [{ path: 'salary.csv', content_base64: 'MTIz' }] };
    await worker.waitForEnd((await worker.trigger(await worker.createFlow('echo a word of the victim'), files)).id);
    const flow = await worker.createFlow('sleep 300', {
      agent_config: { command: 'sleep 300', env: { KEY: 'secret' } },
      timeout_seconds: 600,
    });
    const { id: execution } = await worker.trigger(flow);
    await eventually(async () => (await worker.find(execution)).status === 'RUNNING');
    await owner(`insert into flows.secret values ($1, 'deploy-key', '\\x00')`, [victim]);
    await owner(`insert into gateway.unindexed_content values ($1, now(), now())`, [victim]);
    await owner(`insert into flows.idempotency_key values ($1, '\\x00', $2, '\\x00', $3, now())`, [
      flow.id,
      victim,
      execution,
    ]);
    const event =
      (await owner<{ id: string }>('select id from webhooks.event where account_id = $1', [victim])).rows[0]?.id ?? '';
    const session = (await worker.find(execution)).runtime_session_id ?? '';
    known = { victim, flow: flow.id, execution, session, endpoint, event };

    thief = new pg.Client({ connectionString: worker.databaseUrl });
    await thief.connect();
    const account = newId();
    const ownFlow = await worker.createFlow('true', {}, account);
    const waiting = await worker.trigger(ownFlow, {}, { announce: false });
    const lease = randomUUID();
    const claimed = await thief.query<{ id: string }>(
      `select id from flows.claim_execution('thief', $1, 3600, 100, 100, null, '{}')`,
      [lease],
    );
    expect(claimed.rows).toEqual([{ id: waiting.id }]);
    own = { account, execution: waiting.id, session: newId(), endpoint: await listen(account), lease };
  });
  afterAll(async () => {
    await thief.end();
    await worker.stop();
  });

  /** Runs a statement as the attacker, and rolls it back. */
  async function attempt(
    text: string,
    lease: string | undefined,
  ): Promise<pg.QueryResult<{ account_id?: string }> | 'refused'> {
    await thief.query('begin');
    try {
      if (lease !== undefined)
        await thief.query(`select set_config('steward.execution', $1, true), set_config('steward.lease', $2, true)`, [
          own.execution,
          lease,
        ]);
      return await thief.query<{ account_id?: string }>(text);
    } catch (error) {
      expect((error as { code?: string }).code).toBe('42501');
      return 'refused';
    } finally {
      await thief.query('rollback');
    }
  }

  it.each(TABLES)(
    'cannot read any rows of another account in %s (%s), with or without its own lease',
    async (table, columns) => {
      expect((await owner(`select 1 from ${table} where account_id = $1`, [known.victim])).rows.length).toBeGreaterThan(
        0,
      );
      for (const lease of [undefined, own.lease, randomUUID()]) {
        const seen = await attempt(`select ${columns} from ${table}`, lease);
        if (seen !== 'refused') expect(seen.rows.filter((row) => row.account_id !== own.account)).toEqual([]);
      }
    },
  );

  it.each(WRITES)('cannot change any rows of another account: %s', async (_what, write) => {
    for (const lease of [undefined, own.lease, randomUUID()]) {
      const done = await attempt(write(known), lease);
      if (done !== 'refused') expect(done.rowCount).toBe(0);
    }
  });

  it('cannot read users, keys or secrets of endpoints, with any lease', async () => {
    for (const table of [
      'gateway.user_account',
      'gateway.api_key',
      'gateway.account',
      'webhooks.endpoint_secret',
      'gateway.audit_log',
    ])
      expect(await attempt(`select * from ${table}`, own.lease)).toBe('refused');
  });

  describe('with an execution that it claimed itself', () => {
    const openSession = (account: string, source: string) =>
      `insert into gateway.runtime_session (account_id, id, session_source_type, session_source_id, started_at, last_activity_at,
         last_seen_at, created_at, updated_at)
       values ('${account}', '${own.session}', 'flow_execution', '${source}', now(), now(), now(), now(), now())`;
    const emit = (type: string) =>
      `insert into webhooks.event (account_id, id, type, occurred_at, body)
       values ('${own.account}', gen_random_uuid(), '${type}', now(), '{}')`;
    const deliver = (endpoint: string, type = 'session.ended') =>
      `insert into webhooks.delivery (account_id, endpoint_id, event_id, event_type, occurred_at)
       values ('${own.account}', '${endpoint}', gen_random_uuid(), '${type}', now())`;

    it('can write the session and the two events of the run', async () => {
      for (const text of [openSession(own.account, own.execution), emit('session.ended'), deliver(own.endpoint)])
        expect(await attempt(text, own.lease)).toMatchObject({ rowCount: 1 });
    });

    it('cannot write other sessions of the account, other events, or endpoints of other accounts', async () => {
      const others = [openSession(own.account, known.execution), emit('approval.requested'), deliver(known.endpoint)];
      for (const text of [...others, deliver(own.endpoint, 'webhook.test')])
        expect(await attempt(text, own.lease)).toBe('refused');
    });

    it('can read the flow without its webhook secret', async () => {
      const flow = await thief.query(
        `select account_id, webhook_secret_sealed, webhook_secret_hash, webhook_secret_hint from flows.leased_flow($1, $2)`,
        [own.execution, own.lease],
      );
      expect(flow.rows).toEqual([
        { account_id: own.account, webhook_secret_sealed: null, webhook_secret_hash: null, webhook_secret_hint: null },
      ]);
    });

    it('cannot get a secret of another account that has the requested name', async () => {
      const text = `select * from flows.leased_secrets('${own.execution}', '${own.lease}', '{deploy-key}')`;
      expect(await attempt(text, own.lease)).toMatchObject({ rowCount: 0 });
    });

    it('loses all access once the lease has expired', async () => {
      await owner(`update flows.execution set lease_until = now() - interval '1 second' where id = $1`, [
        own.execution,
      ]);
      expect(await attempt(openSession(own.account, own.execution), own.lease)).toBe('refused');
      expect(
        await attempt(`select * from flows.leased_flow('${own.execution}', '${own.lease}')`, own.lease),
      ).toMatchObject({ rowCount: 0 });
    });
  });
});
