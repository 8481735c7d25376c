import { newId } from '@steward/crypto';
import { useOpened } from '@steward/testing';
import type { FailedSource } from './read-batch.ts';
import { at, createBudget, openBackfill } from '../testing/open-backfill.ts';

const suite = useOpened(openBackfill);
const log = (text: string, day: number) => ({ kind: 'flow_log' as const, text, step: 'agent', occurredAt: at(day) });

/** Stores three sessions; the stored log of the middle one is malformed. Returns the id of that log. */
async function storePoisoned(accountId: string): Promise<string> {
  await suite().store(accountId, [
    { entries: [log('oldest', 1)] },
    { title: 'poisoned', entries: [log('whole', 2), log('broken', 2)] },
    { entries: [log('newest', 3)] },
  ]);
  const { rows } = await suite().admin.pool.query<{ id: string }>(
    `update gateway.session_content set content = '42' where account_id = $1 and content::text like '%broken%' returning id`,
    [accountId],
  );
  return rows[0]?.id ?? '';
}
const mend = (id: string) =>
  suite().admin.pool.query(`update gateway.session_content set content = '"mended"' where id = $1`, [id]);
/** Simulates the passing of an hour. */
const passAnHour = (accountId: string) =>
  suite().admin.pool.query(
    `update backfill.watermark set last_pass_at = last_pass_at - interval '61 minutes' where account_id = $1`,
    [accountId],
  );
const readContents = async (accountId: string) => (await suite().chunks(accountId)).map(({ content }) => content);

describe('content that cannot be split into chunks (CORP-19)', () => {
  it('is skipped and logged: the rest of its session and all other sessions are indexed', async () => {
    const accountId = newId();
    const broken = await storePoisoned(accountId);
    const failed: FailedSource[] = [];
    await suite().walk(accountId, { onFailed: (each) => void failed.push(each) });
    expect((await readContents(accountId)).sort()).toEqual(['newest', 'oldest', 'poisoned', 'whole']);
    expect(failed.map(({ sourceId, error }) => [sourceId, error instanceof Error])).toEqual([[broken, true]]);
  });

  it('prevents the state complete and coverage of its time range', async () => {
    const accountId = newId();
    await storePoisoned(accountId);
    for (let pass = 0; pass < 3; pass += 1) {
      await suite().walk(accountId);
      expect(await suite().watermark(accountId)).toMatchObject({ state: 'in_progress', stopReason: 'failed' });
      expect(await suite().coverage(accountId)).toMatchObject({ backfillState: 'in_progress', indexedFrom: at(2) });
    }
  });

  it('also prevents them if the backfill takes several passes', async () => {
    const accountId = newId();
    await storePoisoned(accountId);
    const outcomes: string[] = [];
    for (let pass = 0; pass < 5; pass += 1) outcomes.push(await suite().walk(accountId, { budget: createBudget(1) }));
    expect(outcomes.slice(0, 3)).toEqual(['account_rows', 'account_rows', 'account_rows']);
    expect((await readContents(accountId)).sort()).toEqual(['newest', 'oldest', 'poisoned', 'whole']);
    expect(await suite().coverage(accountId)).toMatchObject({ backfillState: 'in_progress', indexedFrom: at(2) });
  });

  it('is retried an hour later, and the backfill is complete once the content can be processed', async () => {
    const accountId = newId();
    const broken = await storePoisoned(accountId);
    expect(await suite().walk(accountId)).toBe('failed');
    await mend(broken);
    expect(await suite().walk(accountId)).toBe('failed');
    expect(await readContents(accountId)).not.toContain('mended');
    await passAnHour(accountId);
    expect(await suite().walk(accountId)).toBe('finished');
    expect(await readContents(accountId)).toContain('mended');
    expect(await suite().coverage(accountId)).toMatchObject({ backfillState: 'complete', indexedFrom: at(1) });
  });

  it('does not delay content that is stored later', async () => {
    const accountId = newId();
    await storePoisoned(accountId);
    expect(await suite().walk(accountId)).toBe('failed');
    await suite().store(accountId, [{ entries: [log('later', 1)], now: new Date() }]);
    expect(await suite().walk(accountId)).toBe('failed');
    expect(await readContents(accountId)).toContain('later');
  });
});
