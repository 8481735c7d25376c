import { newId } from '@steward/crypto';
import { sql } from 'kysely';
import { useOpened } from '@steward/testing';
import { at, createBudget, INDEXED, openBackfill, UNINDEXED } from '../testing/open-backfill.ts';
import { listAccountsToWalk } from './list-accounts-to-walk.ts';

const suite = useOpened(openBackfill);
const SESSIONS = [
  { title: 'first', calls: 3 },
  { calls: 2, entries: [{ kind: 'flow_log', text: 'line '.repeat(600), step: 'agent', occurredAt: at(2) }] },
  { title: 'third', entries: [{ kind: 'operator_note', text: 'mind the gap', occurredAt: at(3) }] },
  { calls: 0 },
] as const;

describe('a backfill of history', () => {
  it('writes the chunks that indexing on write would have written, and nothing else (CORP-13)', async () => {
    const [walked, always] = [newId(), newId()];
    await suite().store(walked, SESSIONS);
    await suite().store(always, SESSIONS, INDEXED);
    expect(await suite().chunks(walked)).toEqual([]);
    expect(await suite().walk(walked)).toBe('finished');
    const expected = await suite().chunks(always);
    expect(expected.length).toBeGreaterThan(6);
    expect(await suite().chunks(walked)).toEqual(expected);
  });

  it('writes the missing parts of a session, and nothing that already exists', async () => {
    const accountId = newId();
    const [id = ''] = await suite().store(accountId, [{ title: 'half', calls: 2 }], INDEXED);
    await suite().admin.pool.query(
      `delete from search.chunk where account_id = $1 and id in (select id from search.chunk where account_id = $1 and source_kind = 'tool_call' limit 1)`,
      [accountId],
    );
    const budget = createBudget();
    expect(await suite().walk(accountId, { budget })).toBe('finished');
    expect(budget.spent).toBe(1);
    expect(await suite().chunks(accountId)).toHaveLength(3);
    expect(id).not.toBe('');
  });

  it('reads a session of many pages completely', async () => {
    const accountId = newId();
    await suite().store(accountId, [{ title: 'long', calls: 250 }]);
    expect(await suite().walk(accountId)).toBe('finished');
    expect(await suite().chunks(accountId)).toHaveLength(251);
  });

  it('uses a title that was changed while indexing was off', async () => {
    const accountId = newId();
    const [id = ''] = await suite().store(accountId, [{ title: 'old name' }], INDEXED);
    await suite().rename(accountId, id, 'new name');
    expect(await suite().walk(accountId)).toBe('finished');
    const titles = (await suite().chunks(accountId)).filter((chunk) => chunk.source_kind === 'session_summary');
    expect(titles).toMatchObject([{ content: 'new name' }]);
  });

  it('is not required for a removed title: it can no longer be found, whether indexing is on or off', async () => {
    const accountId = newId();
    const [id = ''] = await suite().store(accountId, [{ title: 'quoll', calls: 0 }], INDEXED);
    expect(await suite().chunks(accountId)).toHaveLength(1);
    await suite().rename(accountId, id, '', UNINDEXED);
    expect(await suite().chunks(accountId)).toEqual([]);
  });

  it('indexes only metadata of content stored without its bodies (CORP-7)', async () => {
    const accountId = newId();
    const call = {
      kind: 'gateway_interaction',
      modelAlias: 'm1',
      providerName: 'p1',
      request: { messages: [{ role: 'user', content: 'not kept' }] },
      response: {},
      occurredAt: at(1),
    } as const;
    await suite().store(accountId, [{ entries: [call] }], { ...UNINDEXED, captureContent: false });
    await suite().walk(accountId);
    const [chunk, ...others] = await suite().chunks(accountId);
    expect([chunk?.redaction_state, others]).toEqual(['metadata_only', []]);
    expect(chunk?.content).toContain('m1');
    expect(chunk?.content).not.toContain('not kept');
  });

  it('notifies the indexer of its writes, after the commit (PROC-10)', async () => {
    const accountId = newId();
    const [id] = await suite().store(accountId, [{ calls: 2 }]);
    const from = suite().hints.length;
    await suite().walk(accountId);
    expect(suite().hints.slice(from)).toMatchObject([
      { account_id: accountId, runtime_session_id: id, source_kind: 'tool_call', chunk_count: 1 },
      { account_id: accountId, runtime_session_id: id, source_kind: 'tool_call', chunk_count: 1 },
    ]);
  });
});

describe('a completed backfill', () => {
  it('is not repeated until something is stored without being indexed (CORP-17)', async () => {
    const accountId = newId();
    await suite().store(accountId, [{}, {}]);
    expect(await suite().walk(accountId)).toBe('finished');
    const kept = await suite().watermark(accountId);
    expect(kept).toMatchObject({ state: 'complete', stopReason: 'finished', written: 2 });
    await suite().store(accountId, [{}], INDEXED);
    expect(await suite().walk(accountId)).toBe('complete');
    expect(await suite().watermark(accountId)).toEqual(kept);
    await suite().store(accountId, [{ now: new Date() }]);
    expect(await suite().walk(accountId)).toBe('finished');
    expect(await suite().watermark(accountId)).toMatchObject({ state: 'complete', written: 3 });
    expect(await suite().chunks(accountId)).toHaveLength(4);
  });

  it('ends at the age limit, and reports from what time the corpus is complete (CORP-16)', async () => {
    const accountId = newId();
    await suite().store(accountId, [{}, {}, {}, {}]);
    expect(await suite().walk(accountId, { horizon: at(3) })).toBe('finished');
    expect((await suite().chunks(accountId)).map((chunk) => chunk.occurred_at)).toEqual([at(3), at(4)]);
    expect(await suite().coverage(accountId)).toMatchObject({
      backfillState: 'complete',
      indexedFrom: at(3),
      indexedThrough: at(4),
    });
  });

  it('is complete immediately for an account without any history', async () => {
    const accountId = newId();
    expect(await suite().walk(accountId)).toBe('finished');
    expect(await suite().walk(accountId)).toBe('complete');
    expect(await suite().coverage(accountId)).toMatchObject({ backfillState: 'complete', indexedFrom: null });
  });

  it('writes only to its own account (SRCH-8)', async () => {
    const [own, other] = [newId(), newId()];
    for (const accountId of [own, other]) await suite().store(accountId, [{}]);
    await suite().walk(own);
    expect(await suite().chunks(other)).toEqual([]);
    expect(await suite().watermark(other)).toBeUndefined();
  });
});

describe('two backfills of one account (CORP-18)', () => {
  it('exclude each other: the second one writes nothing and reports the conflict', async () => {
    const accountId = newId();
    await suite().store(accountId, [{}, {}]);
    await suite().whileHeld(accountId, 'backfill', async () => {
      expect(await suite().walk(accountId)).toBe('busy');
      expect(await suite().watermark(accountId)).toBeUndefined();
    });
    expect(await suite().chunks(accountId)).toEqual([]);
    expect(await suite().walk(accountId)).toBe('finished');
    expect(await suite().chunks(accountId)).toHaveLength(2);
  });

  it('write each chunk once, and the next one completes the backfill', async () => {
    const accountId = newId();
    await suite().store(
      accountId,
      Array.from({ length: 6 }, () => ({ calls: 3 })),
    );
    const outcomes = await Promise.all([1, 2, 3].map(() => suite().walk(accountId)));
    expect(outcomes.filter((outcome) => !['busy', 'finished', 'complete'].includes(outcome))).toEqual([]);
    await suite().walk(accountId);
    expect(await suite().chunks(accountId)).toHaveLength(18);
    expect(await suite().coverage(accountId)).toMatchObject({ backfillState: 'complete' });
    const twice = await sql`select source_id from search.chunk where account_id = ${accountId}
      group by source_kind, source_id, chunk_index having count(*) > 1`.execute(suite().admin.db);
    expect(twice.rows).toEqual([]);
  });

  it('skip an account that another one advanced since it was listed (CORP-18)', async () => {
    const accountId = newId();
    await suite().store(accountId, [{}, {}, {}]);
    const request = { accountIds: [accountId], horizon: undefined, restSeconds: 3600 };
    const { accountIds, restedSince } = await listAccountsToWalk(suite().deps.db, request);
    expect(accountIds).toEqual([accountId]);
    await suite().walk(accountId, { budget: createBudget(1) });
    expect(await suite().walk(accountId, { restedSince })).toBe('busy');
    expect(await suite().chunks(accountId)).toHaveLength(1);
  });

  it('do not delay backfills of other accounts', async () => {
    const [taken, free] = [newId(), newId()];
    for (const accountId of [taken, free]) await suite().store(accountId, [{}]);
    await suite().whileHeld(taken, 'backfill', async () => {
      expect(await suite().walk(free)).toBe('finished');
    });
  });
});
