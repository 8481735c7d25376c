import { APP_ROLES } from '@steward/database';
import { useSessions } from '../../testing/use-sessions.ts';

const sessions = useSessions();

describe('database roles', () => {
  it('let the sweeper read and delete history, but not write it or read notes', async () => {
    const { pool } = sessions.connectAs(APP_ROLES.backfillSweeper);
    await pool.query('select 1 from gateway.runtime_session, gateway.session_content limit 1');
    await pool.query('delete from gateway.session_content where false');
    for (const statement of [
      'update gateway.session_content set role = null',
      `update gateway.runtime_session set title = 'x'`,
      'select author_display from gateway.operator_note',
      'select body from webhooks.event',
    ])
      await expect(pool.query(statement)).rejects.toThrow(/permission denied/);
  });

  it('let a flow worker open and close sessions and write logs, but delete nothing', async () => {
    const { pool } = sessions.connectAs(APP_ROLES.flowTrigger);
    await pool.query('update gateway.runtime_session set updated_at = updated_at where false');
    for (const statement of [
      'delete from gateway.runtime_session',
      'update gateway.session_content set role = null',
      'select 1 from gateway.operator_note',
    ]) {
      await expect(pool.query(statement)).rejects.toThrow(/permission denied/);
    }
  });
});
