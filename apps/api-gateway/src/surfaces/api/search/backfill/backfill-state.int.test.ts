import pg from 'pg';
import { startTestGateway, type TestAccount, type TestGateway } from '../../../../testing/start-gateway.ts';

const PATH = '/api/v1/runtime-sessions/settings/backfill';

let gateway: TestGateway;
let admin: pg.Client;
beforeAll(async () => {
  // Sessions are stored with indexing turned off, so the corpus is empty.
  gateway = await startTestGateway({
    SESSION_SEARCH_INDEX_ENABLED: 'false',
    SESSION_SEARCH_BACKFILL_ENABLED: 'true',
    SESSION_SEARCH_BACKFILL_MAX_ROWS_PER_ACCOUNT: '4',
  });
  admin = new pg.Client({ connectionString: gateway.database.url });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await gateway.close();
});

const read = (account: TestAccount) => gateway.call('GET', PATH, { token: account.accessToken });

async function storeSessions(account: TestAccount, count: number, at = gateway): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const body = { session_source_type: 't', session_source_id: `s${index}` };
    const opened = await at.call('POST', '/api/v1/runtime-sessions', { token: account.accessToken, body });
    const path = `/api/v1/runtime-sessions/${(opened.body as { id: string }).id}/tool-calls`;
    const call = { tool_name: 'sh', arguments: { step: index } };
    const stored = [
      await at.call('POST', path, { token: account.accessToken, body: call }),
      await at.call('POST', path, { token: account.accessToken, body: call }),
    ];
    expect([opened, ...stored].map(({ status }) => status)).toEqual([201, 201, 201]);
  }
}

describe('the reported progress of the history backfill (CORP-21)', () => {
  it('is complete for an account without content', async () => {
    expect((await read(await gateway.registerAccount())).body).toEqual({
      enabled: true,
      backfill_state: 'complete',
      backfill_complete: true,
      indexed_from: null,
      cursor_started_at: null,
      last_pass_at: null,
      stop_reason: null,
      completed_at: null,
      remaining_sessions: 0,
      remaining_sessions_is_exact: true,
      sessions_without_chunks: 0,
      chunks_per_session: 0,
      estimated_seconds: 0,
      estimated_completion_at: null,
    });
  });

  it('counts the remaining sessions of the caller’s account, and estimates the time with the current settings', async () => {
    const [account, stranger] = [await gateway.registerAccount(), await gateway.registerAccount()];
    await storeSessions(account, 6);
    const { body } = await read(account);
    expect(body).toMatchObject({
      backfill_state: 'not_started',
      remaining_sessions: 6,
      remaining_sessions_is_exact: true,
      sessions_without_chunks: 6,
      chunks_per_session: 2,
      // The backfill writes 12 chunks, 4 of them every 900 seconds.
      estimated_seconds: 2700,
    });
    expect(Date.parse(body.estimated_completion_at as string)).not.toBeNaN();
    expect((await read(stranger)).body).toMatchObject({ backfill_state: 'complete', remaining_sessions: 0 });
  });

  it('reports its position and the range indexed so far', async () => {
    const account = await gateway.registerAccount();
    await storeSessions(account, 4);
    await admin.query(
      `insert into backfill.watermark (account_id, state, cursor_started_at, cursor_session_id, last_pass_at, stop_reason, walk_started_at)
       select account_id, 'in_progress', started_at, id, now(), 'account_rows', now() from gateway.runtime_session
       where account_id = $1 order by started_at desc, id desc offset 1 limit 1`,
      [account.accountId],
    );
    const { body } = await read(account);
    expect(body).toMatchObject({
      backfill_state: 'in_progress',
      stop_reason: 'account_rows',
      completed_at: null,
      remaining_sessions: 2,
      sessions_without_chunks: 2,
      estimated_seconds: 900,
    });
    expect([typeof body.cursor_started_at, typeof body.last_pass_at]).toEqual(['string', 'string']);
  });

  it('gives no estimated time while the sweeper is off, but still counts the remaining sessions', async () => {
    const off = await startTestGateway({ SESSION_SEARCH_INDEX_ENABLED: 'false' });
    try {
      const account = await off.registerAccount();
      await storeSessions(account, 1, off);
      const { body } = await off.call('GET', PATH, { token: account.accessToken });
      expect(body).toMatchObject({
        enabled: false,
        backfill_state: 'not_started',
        indexed_from: null,
        remaining_sessions: 1,
        estimated_seconds: 4,
        estimated_completion_at: null,
      });
    } finally {
      await off.close();
    }
  });
});
