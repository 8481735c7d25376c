import { eventually } from '@steward/testing';
import { openTestIdentity, type TestIdentity } from '../../testing/open-identity.ts';
import { openKnownCallers } from '../../testing/open-known-callers.ts';
import { findLeasesBehind, pruneCallerChanges } from '../store/caller-lease.store.ts';
import { createAwaitCallers } from './await-callers.ts';

let identity: TestIdentity;
let key: string;
let accountId: string;
beforeAll(async () => {
  identity = await openTestIdentity();
  const owner = await identity.addAccount();
  ({ accountId } = owner);
  const added = await identity.addKey(owner);
  ({ key } = added);
  // The first use of a key is recorded, and that read is for its own request only.
  await identity.query('update gateway.api_key set last_used_at = now() where id = $1', [added.id]);
});
afterAll(() => identity.close());

describe('the lease of a process that uses callers again (ACC-54)', () => {
  it('is not relied on if the machine stood still for a fifth of a second', async () => {
    const process = openKnownCallers(identity);
    await process.askUntilKnown(key);
    process.freeze();
    const before = process.countReads();
    process.suspend(200);
    await process.ask(key);
    expect(process.countReads()).toBeGreaterThan(before);
    await process.stop();
  });

  it('is not relied on if the database that is read does not hold it, which is reported once (ACC-56)', async () => {
    const other = await openTestIdentity();
    let reported = 0;
    const process = openKnownCallers(identity, { onElsewhere: () => (reported += 1) }, other);
    await eventually(async () => {
      await process.ask(key);
      return (await other.query('select from gateway.caller_lease')).length > 0;
    });
    await process.ask(key);
    const before = process.countReads();
    await process.ask(key);
    await process.ask(key);
    expect(process.countReads() - before).toBe(2);
    await eventually(() => reported > 0);
    await process.ask(key);
    const renewals = async () =>
      Number((await other.query<{ renewals: string }>('select renewals from gateway.caller_lease'))[0]?.renewals);
    const later = (await renewals()) + 2;
    await eventually(async () => (await renewals()) >= later);
    expect(reported).toBe(1);
    await process.stop();
    await other.close();
  });

  it('is deleted when its process, which dropped it, takes another one', async () => {
    const list = async () =>
      (await identity.query<{ id: string }>('select id from gateway.caller_lease')).map(({ id }) => id);
    const others = await list();
    const process = openKnownCallers(identity);
    await process.askUntilKnown(key);
    const own = (await list()).filter((id) => !others.includes(id));
    expect(own).toHaveLength(1);
    process.loseConnection();
    await process.askUntilKnown(key);
    expect(await list()).not.toContain(own[0]);
    await process.stop();
  });

  it('is not behind because of a change of another server, which a restored dump contains', async () => {
    const process = openKnownCallers(identity);
    await process.askUntilKnown(key);
    await createAwaitCallers(identity.db)();
    await identity.query(
      `insert into gateway.caller_change (xid, account_id) values ('9000000000000000001', '${accountId}')`,
    );
    expect((await findLeasesBehind(identity.db)).leases).toEqual([]);
    await pruneCallerChanges(identity.db);
    expect(await identity.query(`select from gateway.caller_change where xid > '9000000000000000000'`)).toEqual([]);
    await process.stop();
  });
});
