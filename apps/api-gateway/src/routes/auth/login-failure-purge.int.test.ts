import pg from 'pg';
import { eventually } from '@steward/testing';
import { startTestGateway, type TestGateway } from '../../testing/start-gateway.ts';

describe('counts of failed log-ins', () => {
  let gateway: TestGateway;
  let admin: pg.Client;
  beforeAll(async () => {
    gateway = await startTestGateway();
    admin = new pg.Client({ connectionString: gateway.database.url });
    await admin.connect();
  });
  afterAll(async () => {
    await admin.end();
    await gateway.close();
  });
  const countBuckets = async (): Promise<number> => {
    const { rows } = await admin.query<{ count: string }>('select count(*) as count from gateway.login_failure');
    return Number(rows[0]?.count);
  };

  it('go when their minute is over, and not before', async () => {
    const body = { username: 'nobody-at-all', password: 'wrong password' };
    expect((await gateway.call('POST', '/api/v1/auth/token/json', { body })).status).toBe(401);
    const fresh = await countBuckets();
    expect(fresh).toBeGreaterThan(0);
    await admin.query(`insert into gateway.login_failure (bucket, window_start, failures)
      select sha256(i::text::bytea), now() - interval '2 minutes', 1 from generate_series(1, 50) i`);
    const twin = await gateway.startTwin();
    try {
      await eventually(async () => (await countBuckets()) === fresh);
    } finally {
      await twin.close();
    }
  });
});
