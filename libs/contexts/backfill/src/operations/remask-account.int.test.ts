import { beginTrace, newId } from '@steward/crypto';
import { MASK_VERSION } from '@steward/masking';
import { useOpened } from '@steward/testing';
import { at, createBudget, INDEXED, openBackfill } from '../testing/open-backfill.ts';
import { remaskAccount } from './remask-account.ts';

const suite = useOpened(openBackfill);
const remask = (accountId: string, budget = createBudget(), signal = new AbortController().signal) =>
  remaskAccount(suite().deps, { accountId, budget, signal, traceparent: beginTrace() });
const token = ['ghp', 'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW2xY4'].join('_');

/** Stores sessions in the state that older rules produced: with unmasked credentials in the chunks. */
async function storeOld(sessions: number, calls = 1): Promise<string> {
  const accountId = newId();
  const describe = (day: number) =>
    Array.from({ length: calls }, (_, call) => ({
      kind: 'tool_call' as const,
      toolName: 'sh',
      arguments: { command: `${day} ${call} ${token}` },
      occurredAt: new Date(at(day).getTime() + call),
    }));
  await suite().store(
    accountId,
    Array.from({ length: sessions }, (_, index) => ({ entries: describe(index + 1) })),
    INDEXED,
  );
  await suite().admin.pool.query(
    `update search.chunk set mask_version = 1, content_hash = sha256(content_hash), redaction_state = 'clear',
       content = replace(content, '[redacted]', 'shown') where account_id = $1`,
    [accountId],
  );
  return accountId;
}
const countShown = async (accountId: string): Promise<number> =>
  (await suite().chunks(accountId)).filter(({ content }) => content.includes('shown')).length;

describe('masking the content of an account again (MASK-10)', () => {
  it('leaves no chunk masked by older rules, and has nothing to do when it runs again', async () => {
    const accountId = await storeOld(3, 2);
    expect(await countShown(accountId)).toBe(6);
    const budget = createBudget();
    expect(await remask(accountId, budget)).toBe(true);
    expect([await countShown(accountId), budget.spent]).toEqual([0, 6]);
    const { rows } = await suite().admin.pool.query(
      'select distinct mask_version, redaction_state from search.chunk where account_id = $1',
      [accountId],
    );
    expect(rows).toEqual([{ mask_version: MASK_VERSION, redaction_state: 'redacted' }]);
    const again = createBudget();
    expect([await remask(accountId, again), again.spent]).toEqual([true, 0]);
  });

  it('does not wait for a backfill of the account', async () => {
    const accountId = await storeOld(1);
    await suite().whileHeld(accountId, 'backfill', async () => {
      expect(await remask(accountId)).toBe(true);
    });
  });

  it('adds the end of long sources to the corpus if only the beginning was indexed (CORP-31)', async () => {
    const accountId = newId();
    const result = `${'went well so far\n'.repeat(6000)}crc32_z is not there`;
    const entry = { kind: 'tool_call' as const, toolName: 'make', arguments: {}, result, occurredAt: at(1) };
    await suite().store(accountId, [{ entries: [entry] }], INDEXED);
    const now = await suite().chunks(accountId);
    await suite().admin.pool.query(`delete from search.chunk where account_id = $1 and chunk_index > 31`, [accountId]);
    await suite().admin.pool.query(
      `update search.chunk set content_hash = sha256(content_hash), mask_version = case when tail_omitted then 1 else mask_version end
       where account_id = $1`,
      [accountId],
    );
    expect(await remask(accountId)).toBe(true);
    const texts = (await suite().chunks(accountId)).map(({ content }) => content);
    expect([texts.length, texts.sort()]).toEqual([now.length, now.map(({ content }) => content).sort()]);
    expect(texts.some((text) => text.includes('crc32_z'))).toBe(true);
  });

  it('requires no marker: after an interruption it resumes from its position, newest first', async () => {
    const accountId = await storeOld(4);
    const left: number[] = [];
    for (let pass = 0; pass < 4; pass += 1) {
      left.push(await countShown(accountId));
      await remask(accountId, createBudget(1));
    }
    expect([...left, await countShown(accountId)]).toEqual([4, 3, 2, 1, 0]);
  });

  it('skips an account that another sweeper is working on (CORP-18)', async () => {
    const accountId = await storeOld(1);
    await suite().whileHeld(accountId, 'remask', async () => {
      expect(await remask(accountId)).toBe(false);
    });
    expect(await countShown(accountId)).toBe(1);
    expect(await remask(accountId)).toBe(true);
  });

  it('stops between two sessions when the process shuts down', async () => {
    const accountId = await storeOld(2);
    expect(await remask(accountId, createBudget(), AbortSignal.abort())).toBe(false);
    expect(await countShown(accountId)).toBe(2);
  });

  it('reads a session of many pages completely', async () => {
    const accountId = await storeOld(1, 130);
    expect(await remask(accountId)).toBe(true);
    expect(await countShown(accountId)).toBe(0);
  });

  it('does not change other accounts', async () => {
    const [own, other] = [await storeOld(1), await storeOld(1)];
    await remask(own);
    expect(await countShown(other)).toBe(1);
  });
});
