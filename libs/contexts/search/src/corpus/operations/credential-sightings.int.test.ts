import { newId } from '@steward/crypto';
import { transact } from '@steward/database';
import { useOpened } from '@steward/testing';
import type { ChunkSource } from '../chunk-source.ts';
import { openSearch } from '../../testing/open-search.ts';
import { deleteExpiredChunks } from './delete-expired-chunks.ts';
import { findCredentialSightings } from './find-credential-sightings.ts';
import { maskLeftoverChunks } from './mask-leftover-chunks.ts';

/** Returns a different credential for each number. */
const tokenOf = (index: number): string =>
  ['ghp', `aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1v${String(index).padStart(5, '0')}`].join('_');
const at = (day: number) => new Date(Date.UTC(2026, 9, day));

const suite = useOpened(openSearch);
const write = async (accountId: string, text: string, more: Partial<ChunkSource> = {}) =>
  (await suite().write(accountId, text, more)).source;
const find = (accountId: string, value: string, page: object = {}) =>
  findCredentialSightings(suite().database.db, { accountId, value, limit: 50, ...page });
const sourcesOf = async (accountId: string, value: string) =>
  (await find(accountId, value)).map(({ sourceId }) => sourceId);

describe('the sightings of a credential', () => {
  it('are found by its fingerprint, newest first, with the source that contained it (MASK-6, MASK-7)', async () => {
    const accountId = newId();
    const older = await write(accountId, `a ${tokenOf(1)}`, { occurredAt: at(1) });
    const newer = await write(accountId, `b ${tokenOf(1)} ${tokenOf(2)}`, { occurredAt: at(2) });
    expect(await find(accountId, tokenOf(1))).toMatchObject([
      { sourceId: newer.sourceId, runtimeSessionId: newer.runtimeSessionId, sourceKind: 'tool_call', ruleId: 'github' },
      { sourceId: older.sourceId, occurredAt: at(1) },
    ]);
    expect(await sourcesOf(accountId, tokenOf(2))).toEqual([newer.sourceId]);
    expect(await find(accountId, tokenOf(3))).toEqual([]);
  });

  it.each([
    ['blanks', (token: string) => `  ${token}\n`],
    ['quotes', (token: string) => `"${token}"`],
    ['a label', (token: string) => `GH_TOKEN=${token}`],
    ['a scheme', (token: string) => `Authorization: Bearer ${token}`],
  ])('are found if the search contains %s around the credential (MASK-7)', async (_what, wrap) => {
    const accountId = newId();
    const source = await write(accountId, `x ${tokenOf(4)}`);
    expect(await sourcesOf(accountId, wrap(tokenOf(4)))).toEqual([source.sourceId]);
  });

  it('are not found by another account, even if that account saw the same credential (MASK-6)', async () => {
    const [one, other, third] = [newId(), newId(), newId()];
    for (const accountId of [one, other]) await write(accountId, tokenOf(5));
    expect(await find(one, tokenOf(5))).toHaveLength(1);
    expect(await find(third, tokenOf(5))).toEqual([]);
    const prints = await suite().query<{ fingerprint: Buffer }>(
      'select fingerprint from search.credential_sighting where account_id = any ($1)',
      [[one, other]],
    );
    expect(prints).toHaveLength(2);
    expect(prints[0]?.fingerprint.equals(prints[1]?.fingerprint ?? Buffer.alloc(0))).toBe(false);
  });

  it('are stored for at most 200 credentials per source, once each (MASK-6)', async () => {
    const accountId = newId();
    const tokens = Array.from({ length: 230 }, (_, index) => tokenOf(index));
    await write(accountId, [...tokens, ...tokens].join(' '));
    const [row] = await suite().query<{ count: number }>(
      'select count(*) as count from search.credential_sighting where account_id = $1',
      [accountId],
    );
    expect(row?.count).toBe(200);
  });

  it('are paged without gaps, and count several occurrences in one source once', async () => {
    const accountId = newId();
    const text = `${tokenOf(6)} and ${tokenOf(6)}`;
    const expected: string[] = [];
    for (let day = 1; day <= 5; day += 1)
      expected.unshift((await write(accountId, text, { occurredAt: at(day) })).sourceId);
    const seen: string[] = [];
    for (let after: object | undefined; ;) {
      const page = await find(accountId, tokenOf(6), { limit: 2, after });
      if (page.length === 0) break;
      seen.push(...page.map(({ sourceId }) => sourceId));
      after = page.at(-1);
    }
    expect(seen).toEqual(expected);
  });

  it('are deleted when the chunks are rewritten, emptied or expired (MASK-9)', async () => {
    const accountId = newId();
    const title = { sourceKind: 'session_summary', sourceId: newId(), runtimeSessionId: newId() } as const;
    await write(accountId, `deploy with ${tokenOf(7)}`, title);
    expect(await sourcesOf(accountId, tokenOf(7))).toEqual([title.sourceId]);
    await write(accountId, `deploy with ${tokenOf(8)}`, title);
    expect(await sourcesOf(accountId, tokenOf(7))).toEqual([]);
    expect(await sourcesOf(accountId, tokenOf(8))).toEqual([title.sourceId]);
    await write(accountId, '', title);
    expect(await sourcesOf(accountId, tokenOf(8))).toEqual([]);
    await write(accountId, tokenOf(9), { occurredAt: at(1) });
    const signal = new AbortController().signal;
    await deleteExpiredChunks(suite().admin.db, { before: at(2), batchSize: 100, signal });
    expect(await sourcesOf(accountId, tokenOf(9))).toEqual([]);
  });

  it('use one key per account, regardless of which writer is first', async () => {
    const accountId = newId();
    await Promise.all(Array.from({ length: 8 }, () => write(accountId, tokenOf(10))));
    expect(await find(accountId, tokenOf(10))).toHaveLength(8);
  });

  it('do not store the credential in any column (MASK-6)', async () => {
    const accountId = newId();
    await write(accountId, tokenOf(11));
    for (const table of ['credential_sighting', 'credential_key', 'chunk']) {
      const rows = await suite().query(`select * from search.${table} where account_id = $1`, [accountId]);
      expect(rows).not.toHaveLength(0);
      expect(JSON.stringify(rows)).not.toContain('aB3dE5fG7h');
    }
  });
});

describe('chunks whose source was deleted', () => {
  it('are masked in place: all chunks of the session, and none of another session (MASK-10)', async () => {
    const accountId = newId();
    const [session, other] = [newId(), newId()];
    for (const runtimeSessionId of [session, session, other]) await write(accountId, 'text', { runtimeSessionId });
    await suite().query(`update search.chunk set mask_version = 1, content = 'left ' || $2 where account_id = $1`, [
      accountId,
      tokenOf(12),
    ]);
    const deps = { db: suite().admin.db, broker: { publishHint: () => undefined } };
    const mask = (sessionId: string) => transact(deps, (trx) => maskLeftoverChunks(trx, { accountId, sessionId }));
    expect(await mask(session)).toBe(2);
    expect(await mask(session)).toBe(0);
    const rows = await suite().query<{ content: string; redaction_state: string }>(
      'select content, redaction_state from search.chunk where account_id = $1 order by redaction_state',
      [accountId],
    );
    expect(rows.map(({ redaction_state: state }) => state)).toEqual(['clear', 'redacted', 'redacted']);
    expect(rows.filter(({ content }) => content === 'left [redacted]')).toHaveLength(2);
  });
});
