import { eventually } from '@steward/testing';
import { usePeople } from '../../../testing/people-tests.ts';

describe('the cleanup of expired rows', () => {
  const people = usePeople({});
  const count = async (table: string): Promise<number> =>
    Number((await people.query(`select count(*) as count from gateway.${table}`))[0]?.count);
  /** Starts another process, which purges on startup. */
  async function purgeUntil(isDone: () => Promise<boolean>): Promise<void> {
    const twin = await people.gateway().startTwin();
    try {
      await eventually(isDone);
    } finally {
      await twin.close();
    }
  }

  it('deletes counts of failed logins after one minute', async () => {
    expect((await people.login('nobody-at-all', 'wrong password')).status).toBe(401);
    const fresh = await count('login_failure');
    expect(fresh).toBeGreaterThan(0);
    await people.query(`insert into gateway.login_failure (bucket, window_start, failures)
      select sha256(i::text::bytea), now() - interval '2 minutes', 1 from generate_series(1, 50) i`);
    await purgeUntil(async () => (await count('login_failure')) === fresh);
  });

  it('deletes expired invitations, and deletes logins and their tokens one day after they could last be refreshed', async () => {
    const owner = await people.register();
    const { body } = await people.login(owner.username, owner.password);
    await people.call('POST', '/auth/refresh', undefined, { refresh_token: body.refresh_token });
    const invite = (username: string) =>
      people.call('POST', '/users', owner.accessToken, { username, email: `${username}@example.test`, role: 'viewer' });
    const [expired, open] = [await invite('invited-long-ago'), await invite('invited-now')];
    await people.query(`update gateway.invitation set expires_at = now() - interval '1 minute' where user_id = $1`, [
      expired.body.id,
    ]);
    const [logins, tokens] = [await count('login'), await count('refresh_token')];
    await people.query(
      `insert into gateway.login (id, account_id, user_id, created_at, expires_at, ends_at)
       select gen_random_uuid(), account_id, id, now() - interval '9 days', now() - interval '25 hours', now()
       from gateway.user_account where id = $1`,
      [owner.userId],
    );
    await people.query(`insert into gateway.refresh_token (token_hash, login_id, expires_at)
      select sha256(id::text::bytea), id, expires_at from gateway.login where expires_at < now()`);
    await purgeUntil(async () => (await count('login')) === logins && (await count('invitation')) === 1);
    expect(await count('refresh_token')).toBe(tokens);
    const left = await people.query('select user_id from gateway.invitation');
    expect(left).toEqual([{ user_id: open.body.id }]);
  });
});
