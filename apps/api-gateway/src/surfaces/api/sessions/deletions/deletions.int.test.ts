import { newId } from '@steward/crypto';
import { purgeDeletedSession, runDeletionBatch } from '@steward/sessions';
import { findInDatabase } from '../../../../testing/find-in-database.ts';
import { useSessions } from '../../../../testing/session-tests.ts';
import { useSweeperRole } from '../../../../testing/use-sweeper-role.ts';

const role = useSweeperRole(() => gateway());
const { account, call, gateway, open, stranger } = useSessions();

const request = (filters: object, more: object = {}) => call('POST', '/deletions', { filters, ...more });
const read = async (id: string) => (await call('GET', `/deletions/${id}`)).body as object;
const listIds = async (label: string): Promise<string[]> => {
  const { body } = await call('GET', `?label=${label}&limit=200`);
  return (body as { items: readonly { id: string }[] }).items.map(({ id }) => id).sort();
};
/** Carries out all deletions step by step, as the sweeper does. */
async function carryOut(): Promise<void> {
  while ((await runDeletionBatch(role.sweeper().db)).kind === 'advanced');
  while ((await purgeDeletedSession(role.sweeper().db, [])) !== undefined);
}

async function openMany(label: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push((await open({ labels: [label] })).id);
  return ids.sort();
}

describe('deleting many sessions (SESS-24)', () => {
  it('deletes matching sessions in batches, keeps protected ones, and counts both', async () => {
    const label = 'person:quollgamma';
    const ids = await openMany(label, 103);
    const [held = '', running = ''] = ids;
    await call('PATCH', `/${held}`, { legal_hold: true });
    await role
      .admin()
      .pool.query('update gateway.runtime_session set execution_id = $2 where id = $1', [running, newId()]);
    const other = await open({ labels: ['person:other'] });

    const answer = await request({ label });
    const { id } = answer.body as { id: string };
    expect([answer.status, answer.body]).toMatchObject([
      202,
      { status: 'running', dry_run: false, matched: 0, deleted: 0, finished_at: null },
    ]);
    const late = await open({ labels: [label] });
    expect(await runDeletionBatch(role.sweeper().db)).toMatchObject({ kind: 'advanced', isFinished: false });
    expect(await read(id)).toMatchObject({ status: 'running', matched: 50 });
    await carryOut();
    expect(await read(id)).toMatchObject({
      status: 'finished',
      matched: 103,
      deleted: 101,
      kept: { legal_hold: 1, execution_active: 1 },
      finished_at: expect.any(String) as string,
    });
    expect(await listIds(label)).toEqual([held, running, late.id].sort());
    expect((await call('GET', `/${other.id}`)).status).toBe(200);

    const { rows } = await role
      .admin()
      .pool.query(
        `select actor_kind, actor_id, source, details from gateway.audit_log where resource_id = $1 and action = 'delete'`,
        [ids[2]],
      );
    expect(rows).toEqual([
      { actor_kind: 'user', actor_id: account().userId, source: 'system', details: { deletion_id: id } },
    ]);
  });

  it('does not store the filters', async () => {
    const label = 'person:quolldelta';
    await openMany(label, 2);
    await request({ label });
    expect(await findInDatabase(gateway().database.url, 'quolldelta')).toContain('gateway.session_deletion_job');
    await carryOut();
    expect(await findInDatabase(gateway().database.url, 'quolldelta')).toEqual([]);
  });

  it('only counts the sessions in a dry run', async () => {
    const label = 'person:dry';
    const ids = await openMany(label, 3);
    await call('PATCH', `/${ids[0] ?? ''}`, { legal_hold: true });
    const { body } = await request({ label }, { dry_run: true });
    await carryOut();
    expect(await read((body as { id: string }).id)).toMatchObject({
      status: 'finished',
      dry_run: true,
      matched: 3,
      deleted: 0,
      kept: { legal_hold: 1, execution_active: 0 },
    });
    expect(await listIds(label)).toEqual(ids);
  });

  it('requires a filter and the permission, and affects only the caller’s account (API-10)', async () => {
    expect((await request({})).status).toBe(422);
    expect((await request({ labels: 'x:y' })).status).toBe(422);
    const asked = { token: account().accessToken, body: { name: 'viewer', scopes: ['view_runtime_sessions'] } };
    const viewer = (await gateway().call('POST', '/api/v1/auth/api-keys', asked)).body['key'] as string;
    expect((await call('POST', '/deletions', { filters: { active: true } }, viewer)).status).toBe(403);
    const { body } = await request({ label: 'person:nobody' });
    const path = `/deletions/${(body as { id: string }).id}`;
    expect((await call('GET', path, undefined, viewer)).status).toBe(200);
    expect((await call('GET', path, undefined, stranger().accessToken)).status).toBe(404);
    await carryOut();
  });

  it('is refused while twenty are in progress (LIM-42)', async () => {
    for (let count = 0; count < 20; count += 1) expect((await request({ label: 'person:nobody' })).status).toBe(202);
    const refused = await request({ label: 'person:nobody' });
    expect([refused.status, refused.body.detail]).toMatchObject([409, { code: 'quota_reached', limit: 20 }]);
    await carryOut();
    expect((await request({ label: 'person:nobody' })).status).toBe(202);
  });
});
