import { newId } from '@steward/crypto';
import { isTransientDatabaseError } from '@steward/database';
import { connectTestDatabase } from '@steward/database/testing';
import pg from 'pg';
import { createFlushes, LostCommitError } from './create-flushes.ts';
import { buildCall, buildRow, START } from './testing/build-call.ts';
import { openModelCalls, type OpenModelCalls } from './testing/open-model-calls.ts';

let opened: OpenModelCalls;
beforeAll(async () => {
  opened = await openModelCalls();
});
beforeEach(() => opened.setClock(START));
afterAll(() => opened.close());

async function runAsOwner(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: opened.ownerUrl });
  await client.connect();
  await client.query(text).finally(() => client.end());
}

/**
 * Records a call whose row the database loses this number of times, as if it had crashed before the commit was on disk.
 */
async function recordLosing(times: number) {
  const call = buildCall(newId());
  await opened.addBudget(call.accountId);
  const [calls] = opened.processes;
  await calls.begin(call);
  await runAsOwner(`
    create sequence lost_rows;
    grant usage on lost_rows to public;
    create function lose_row() returns trigger language plpgsql as $$
    begin
      return case when nextval('lost_rows') <= ${times} then null else new end;
    end $$;
    create trigger lose_row before insert on models.usage for each row execute function lose_row();
  `);
  try {
    await calls.end(buildRow(call));
  } finally {
    await runAsOwner('drop trigger lose_row on models.usage; drop function lose_row(); drop sequence lost_rows');
  }
  return call;
}

describe('a commit that did not wait for the disk', () => {
  it('is on disk if its row is stored, and has to be repeated if the server has lost it', async () => {
    const call = buildCall(newId());
    const [calls] = opened.processes;
    await calls.begin(call);
    await calls.end(buildRow(call));
    const database = connectTestDatabase(opened.url);
    const flushes = createFlushes(database.db);
    const lost = flushes.add({ accountId: call.accountId, id: newId() });
    const stored = flushes.add(call);
    const outcomes = await Promise.allSettled([lost, stored]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    await expect(flushes.add({ accountId: newId(), id: call.id })).rejects.toThrow(LostCommitError);
    await database.close();
    expect(isTransientDatabaseError(new LostCommitError())).toBe(true);
  });

  it.each([1, 3])('is repeated until its row is stored, if the server loses it %i times', async (times) => {
    const call = await recordLosing(times);
    const rows = await opened.listUsage(call.accountId);
    expect(rows.map(({ id }) => id)).toEqual([call.id]);
  });
});
