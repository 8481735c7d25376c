import { eventually } from '@steward/testing';
import { openTestIdentity, type TestIdentity } from '../../testing/open-identity.ts';
import { createAwaitCallers } from './await-callers.ts';

let identity: TestIdentity;
beforeAll(async () => {
  identity = await openTestIdentity();
});
afterAll(() => identity.close());

/** Returns the function that changes a new key. */
async function addChange() {
  const { id } = await identity.addKey(await identity.addAccount());
  return () => identity.query(`update gateway.api_key set name = name || 'x' where id = $1`, [id]);
}
const listChanges = () => identity.query('select from gateway.caller_change');
const listLeases = () => identity.query('select from gateway.caller_lease');

describe('a wait for the processes that use callers again (ACC-55)', () => {
  it('deletes changes now and then, so that they do not accumulate while no process has a lease', async () => {
    const change = await addChange();
    await change();
    expect(await listChanges()).not.toEqual([]);
    await createAwaitCallers(identity.db, { pruneMs: 0 })();
    await eventually(async () => (await listChanges()).length === 0);
  });

  it('ends the lease of a process that does not react, for all writers that wait for it', async () => {
    const waits: number[] = [];
    const awaitCallers = createAwaitCallers(identity.db, { onWaited: (seconds) => void waits.push(seconds) });
    const change = await addChange();
    await identity.query(
      `insert into gateway.caller_lease (id, acked, lease_ms) values (gen_random_uuid(), pg_current_snapshot(), 300)`,
    );
    await change();
    const first = awaitCallers();
    await change();
    const others = [awaitCallers(), awaitCallers()];
    await first;
    expect(await listLeases()).toEqual([]);
    await Promise.all(others);
    // The process has not reacted for the duration of its lease, of which the first writer waited for all.
    expect(waits).toHaveLength(3);
    expect(waits[0]).toBeGreaterThanOrEqual(0.3);
  });
});
