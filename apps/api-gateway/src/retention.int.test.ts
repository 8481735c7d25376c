import pg from 'pg';
import { firstIdAt, newId } from '@steward/crypto';
import { eventually } from '@steward/testing';
import { startTestGateway, type TestAccount, type TestGateway } from './testing/start-gateway.ts';

const DAY_MS = 86_400_000;
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);
/** Returns a new id that was created at a time. */
const idAt = (time: Date): string => firstIdAt(time).slice(0, 19) + newId().slice(19);

let gateway: TestGateway;
let admin: pg.Client;
let owner: TestAccount;
beforeAll(async () => {
  gateway = await startTestGateway({ USAGE_RETENTION_DAYS: '35', EXECUTION_RETENTION_DAYS: '30' });
  owner = await gateway.registerAccount();
  admin = new pg.Client({ connectionString: gateway.database.url });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await gateway.close();
});

const read = (path: string) => gateway.call('GET', `/api/v1${path}`, { token: owner.accessToken });

async function storeExecution(days: number): Promise<string> {
  const id = idAt(daysAgo(days));
  await admin.query(
    `insert into flows.execution (id, account_id, flow_id, flow_name, status, trigger_type, trigger_event_details, created_at, finished_at)
     values ($1, $2, $2, 'nightly', 'FAILED', 'manual', '{}', $3, $4)`,
    [id, owner.accountId, daysAgo(days), new Date(daysAgo(days).getTime() + 60_000)],
  );
  return id;
}

async function storeUsage(days: number): Promise<string> {
  const id = idAt(daysAgo(days));
  await admin.query(
    `insert into models.usage (account_id, id, occurred_at, model_alias, endpoint, status, cost_usd, price_source, usage_source, duration_ms,
       stream) values ($1, $2, $3, 'fast', 'responses', 'ok', 0.5, 'catalogue', 'provider', 5, true)`,
    [owner.accountId, id, daysAgo(days)],
  );
  return id;
}

/** Makes the partition of usage rows from before the conversion end three months ago. */
async function endFormerPartition(): Promise<void> {
  const { rows } = await admin.query<{ name: string; ends_at: Date }>(
    `select partition_name::text as name, date_trunc('month', now() at time zone 'UTC' - interval '3 months') at time zone 'UTC' as ends_at
     from models.usage_partition_ends() order by ends_at limit 1`,
  );
  const [former] = rows;
  if (former === undefined) throw new Error('models.usage has no partition');
  await admin.query(`alter table models.usage detach partition models.${former.name};
    alter table models.usage attach partition models.${former.name} for values from (minvalue) to ('${firstIdAt(former.ends_at)}')`);
}

describe('a gateway with ages for executions and usage rows (PROC-24)', () => {
  it('removes what is older when it starts, and answers as if it had never been there', async () => {
    await endFormerPartition();
    const [oldRun, youngRun] = [await storeExecution(31), await storeExecution(29)];
    await storeUsage(200);
    const youngCall = await storeUsage(1);
    const twin = await gateway.startTwin();
    try {
      await eventually(async () => (await read(`/flows/executions/${oldRun}`)).status === 404);
      await eventually(async () => (await read('/usage')).body.items.length === 1);
    } finally {
      await twin.close();
    }
    expect((await read('/usage')).body.items[0].id).toBe(youngCall);
    const { body } = await read(`/usage/summary?group_by=model&since=${daysAgo(300).toISOString()}`);
    expect(body.total).toMatchObject({ calls: 1, cost_usd: 0.5 });
    expect((await read('/flows/executions')).body.items.map(({ id }: { id: string }) => id)).toEqual([youngRun]);
    for (const part of ['logs', 'evidence', 'vulnerabilities'])
      expect([part, (await read(`/flows/executions/${oldRun}/${part}`)).status]).toEqual([part, 404]);
    const retried = await gateway.call('POST', `/api/v1/flows/executions/${oldRun}/retry`, {
      token: owner.accessToken,
    });
    expect(retried.status).toBe(404);
  });
});
