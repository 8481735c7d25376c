import { newId } from '@steward/crypto';
import { countStatements } from '@steward/database/testing';
import { eventually } from '@steward/testing';
import { sql } from 'kysely';
import { later, MINUTE, openTestIdentity, type TestIdentity } from '../../testing/open-identity.ts';
import { openKnownCallers } from '../../testing/open-known-callers.ts';
import { createAwaitCallers, type AwaitCallers } from './await-callers.ts';

const PROCESSES = 3;
type Process = ReturnType<typeof openKnownCallers>;

let identity: TestIdentity;
let awaitCallers: AwaitCallers;
beforeAll(async () => {
  identity = await openTestIdentity();
  awaitCallers = createAwaitCallers(identity.db);
});
afterAll(() => identity.close());

/** Selects what the gateway reads with a key from the tables of other contexts. */
const selectRevisions = (account: string) => sql<Record<string, number>>`jsonb_build_object(
  'models', (select r.revision from models.revision r where r.account_id = ${sql.ref(account)}),
  'budgets', (select r.revision from budgets.revision r where r.account_id = ${sql.ref(account)}),
  'policies', (select h.version from policies.policy_head h where h.account_id = ${sql.ref(account)}),
  'toolServers', (select r.revision from tool_servers.revision r where r.account_id = ${sql.ref(account)}),
  'trackers', (select r.revision from trackers.revision r where r.account_id = ${sql.ref(account)}),
  'hasNotes', exists (select from gateway.operator_note n where n.account_id = ${sql.ref(account)}
    and n.delivered_at is null and n.cancelled_at is null))`;

const open = (count: number): Process[] =>
  Array.from({ length: count }, () => openKnownCallers(identity, { selectRevisions }));

async function addKeys() {
  const owner = await identity.addAccount();
  const user = await identity.addUser(owner.accountId);
  const roleId = newId();
  await identity.query(
    `insert into gateway.role (id, account_id, name, permissions) values ($1, $2, $3, '{view_flows}')`,
    [...[roleId, owner.accountId, `role ${roleId}`]],
  );
  await identity.query('update gateway.user_account set role_id = $2 where id = $1', [user.id, roleId]);
  const parent = await identity.addKey(user);
  const child = await identity.addKey(user, { parentId: parent.id });
  await identity.query(`update gateway.api_key set model_limits = '{"models":["a"]}' where id = $1`, [parent.id]);
  // The first use of a key is recorded, and that read is for its own request only.
  await identity.query('update gateway.api_key set last_used_at = now() where user_id = $1', [user.id]);
  const revise = (table: string) => `insert into ${table} as r (account_id, revision) values ('${owner.accountId}', 1)
    on conflict (account_id) do update set revision = r.revision + 1`;
  return { accountId: owner.accountId, user, roleId, parent, child, revise };
}
type Keys = Awaited<ReturnType<typeof addKeys>>;

/** Every change of what is read of a caller, as SQL that anybody may send. */
const CHANGES: readonly [string, (keys: Keys) => string][] = [
  ['revoked key', ({ child }) => `update gateway.api_key set revoked_at = now() where id = '${child.id}'`],
  ['revoked ancestor', ({ parent }) => `update gateway.api_key set revoked_at = now() where id = '${parent.id}'`],
  ['deleted key', ({ child }) => `delete from gateway.api_key where id = '${child.id}'`],
  ['rotated hash', ({ child }) => `update gateway.api_key set key_hash = sha256('x') where id = '${child.id}'`],
  ['name of the key', ({ child }) => `update gateway.api_key set name = 'other' where id = '${child.id}'`],
  ['scopes', ({ child }) => `update gateway.api_key set scopes = '{view_flows}' where id = '${child.id}'`],
  ['ancestors', ({ child }) => `update gateway.api_key set ancestor_ids = '{}' where id = '${child.id}'`],
  ['suspension', ({ child }) => `update gateway.api_key set is_suspended = true where id = '${child.id}'`],
  ['end of the key', ({ child }) => `update gateway.api_key set expires_at = now() where id = '${child.id}'`],
  ['limits', ({ child }) => `update gateway.api_key set model_limits = '{"models":[]}' where id = '${child.id}'`],
  [
    'limits above',
    ({ parent }) => `update gateway.api_key set model_limits = '{"models":[]}' where id = '${parent.id}'`,
  ],
  [
    'agent',
    ({ child }) => `update gateway.api_key set runtime_principal_type = 'managed_agent',
      runtime_principal_id = gen_random_uuid(), runtime_principal_name = 'a' where id = '${child.id}'`,
  ],
  ['active user', ({ user }) => `update gateway.user_account set is_active = false where id = '${user.id}'`],
  ['name of the user', ({ user }) => `update gateway.user_account set username = 'u ' || id where id = '${user.id}'`],
  [
    'role of the user',
    ({ user }) => `update gateway.user_account set role_id = (select id from gateway.role where name = 'owner'
      and account_id is null) where id = '${user.id}'`,
  ],
  ['permissions', ({ roleId }) => `update gateway.role set permissions = '{}' where id = '${roleId}'`],
  ['name of the role', ({ roleId }) => `update gateway.role set name = 'r ' || id where id = '${roleId}'`],
  [
    'built-in role',
    ({ roleId }) => `update gateway.role set account_id = null, name = 'b ' || id where id = '${roleId}'`,
  ],
  [
    'kill switch',
    ({ accountId, user }) => `insert into gateway.kill_switch (account_id, engaged, changed_at, changed_by)
      values ('${accountId}', true, now(), '${user.id}')`,
  ],
  ['models', ({ revise }) => revise('models.revision')],
  ['budgets', ({ revise }) => revise('budgets.revision')],
  ['tools', ({ revise }) => revise('tool_servers.revision')],
  ['trackers', ({ revise }) => revise('trackers.revision')],
  ['policy', ({ accountId }) => `insert into policies.policy_head (account_id, version) values ('${accountId}', 1)`],
  [
    'note',
    ({ accountId, user }) => `insert into gateway.operator_note (account_id, id, text, author_user_id, author_display,
      author_auth_method, created_at) values ('${accountId}', gen_random_uuid(), 't', '${user.id}', 'd', 'user', now())`,
  ],
];

describe('a caller that is used again (ACC-54, ACC-55)', () => {
  let processes: Process[];
  beforeAll(() => {
    processes = open(PROCESSES);
  });
  afterAll(() => Promise.all(processes.map((process) => process.stop())));

  it.each(CHANGES)('is read again by every process after a confirmed change: %s', async (_name, change) => {
    const keys = await addKeys();
    const { key } = keys.child;
    const [before] = await Promise.all(processes.map((process) => process.askUntilKnown(key)));
    expect(before?.apiKeyId).toBe(keys.child.id);
    await identity.query(change(keys));
    await awaitCallers();
    const after = await Promise.all(processes.map((process) => process.ask(key)));
    const reader = openKnownCallers(identity, { selectRevisions });
    const current = await reader.ask(key);
    await reader.stop();
    expect(current).not.toEqual(before);
    expect(after).toEqual(processes.map(() => current));
  });

  it('is read again after its key has moved to another account', async () => {
    const { child } = await addKeys();
    const other = await identity.addAccount();
    const [process] = open(1) as [Process];
    await process.askUntilKnown(child.key);
    await identity.query('update gateway.api_key set account_id = $2, user_id = $3 where id = $1', [
      ...[child.id, other.accountId, other.id],
    ]);
    await awaitCallers();
    expect((await process.ask(child.key))?.accountId).toBe(other.accountId);
    await process.stop();
  });

  it('ends with its key, whenever it was read', async () => {
    const owner = await identity.addAccount();
    // A busy machine may take longer than a minute to use the key again, and the key must still be valid then.
    const { key, id } = await identity.addKey(owner, { expiresAt: later(60 * MINUTE) });
    await identity.query('update gateway.api_key set last_used_at = now() where id = $1', [id]);
    let now = new Date();
    const process = openKnownCallers(identity, { now: () => now });
    await process.askUntilKnown(key);
    now = later(60 * MINUTE);
    expect(await process.ask(key)).toBeUndefined();
    await process.stop();
  });

  it('is not used with a lease that others may consider dead, although the clock stood still meanwhile', async () => {
    const { child } = await addKeys();
    const [process] = open(1) as [Process];
    await process.askUntilKnown(child.key);
    process.freeze();
    await identity.query('update gateway.api_key set revoked_at = now() where id = $1', [child.id]);
    const beganAt = performance.now();
    await awaitCallers();
    process.suspend(performance.now() - beganAt);
    expect(await process.ask(child.key)).toBeUndefined();
    await process.stop();
  });

  it('is not kept if it changed while its read was on the way', async () => {
    const { child } = await addKeys();
    const [process] = open(1) as [Process];
    const rename = async (name: string) => {
      await identity.query('update gateway.api_key set name = $2 where id = $1', [child.id, name]);
      await awaitCallers();
    };
    await process.askUntilKnown(child.key);
    await rename('first');
    process.slowReads();
    const slow = process.ask(child.key);
    await eventually(() => process.countSlowReads() > 0);
    await rename('second');
    process.endReads();
    expect((await slow)?.apiKeyName).toBe('first');
    expect((await process.ask(child.key))?.apiKeyName).toBe('second');
    await process.stop();
  });

  it('is waited for by many writers with the statements of one', async () => {
    const { child } = await addKeys();
    const [process] = open(1) as [Process];
    await process.askUntilKnown(child.key);
    process.freeze();
    const rename = `update gateway.api_key set name = name || 'x' where id = $1`;
    const sent = countStatements();
    const awaitShared = createAwaitCallers(identity.db.withPlugin(sent.plugin));
    const waiting: Promise<void>[] = [];
    for (let n = 0; n < 20; n += 1) {
      await identity.query(rename, [child.id]);
      waiting.push(awaitShared());
    }
    await Promise.all(waiting);
    // One look at most every 20 ms, and the first ones with shorter pauses: far fewer than 20 writers would need.
    expect(sent.count()).toBeLessThan(300);
    expect((await process.ask(child.key))?.apiKeyName).toBe(`ci${'x'.repeat(20)}`);
    await process.stop();
  });

  it('is not waited for once its process has been found dead', async () => {
    const { child } = await addKeys();
    const [process] = open(1) as [Process];
    await process.askUntilKnown(child.key);
    await process.kill();
    await identity.query('update gateway.api_key set revoked_at = now() where id = $1', [child.id]);
    await awaitCallers();
    const leases = await identity.query<{ behind: boolean }>(
      `select exists (select from gateway.caller_change c where not pg_visible_in_snapshot(c.xid, l.acked)) as behind
       from gateway.caller_lease l`,
    );
    expect(leases.filter(({ behind }) => behind)).toEqual([]);
  });
});
