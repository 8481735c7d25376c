import { MASK_VERSION } from '@steward/masking';
import { findCredentialSightings } from '@steward/search';
import { INDEXED, useSweeper } from '../testing/use-sweeper.ts';
import { remaskPass, type RenewalOptions } from './renewal-pass.ts';

const LIMITS: RenewalOptions = { maxRowsPerPass: 1000, maxSeconds: 60 };
const secretOf = (index: number): string => ['ghp', `aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW${index}xY5`].join('_');

describe('masking content again with newer rules', () => {
  const tests = useSweeper();

  /**
   * Stores sessions as an older version left them: with the credential in plaintext in the corpus, and no fingerprint.
   */
  async function storeOld(sessions: number): Promise<string> {
    const accountId = await tests.storeSessions(sessions, INDEXED, (index) => ({
      title: `Old ${index}`,
      toolCall: { arguments: {}, result: JSON.stringify({ stdout: `a\n${secretOf(index)}\nb` }) },
    }));
    const query = (text: string) => tests.admin.pool.query(text, [accountId]);
    await query(
      `update search.chunk set mask_version = 1, redaction_state = 'clear', content_hash = sha256(content_hash),
         content = replace(content, '[redacted]', 'ghp' || '_in_clear_' || id)
       where account_id = $1`,
    );
    await query('delete from search.credential_sighting where account_id = $1');
    return accountId;
  }

  const pass = (options: Partial<RenewalOptions> = {}, startAt?: string, signal = new AbortController().signal) =>
    remaskPass(tests.deps, { ...LIMITS, ...options }, { startAt, signal });
  const readChunks = async (accountId: string): Promise<{ content: string; mask_version: number }[]> =>
    (
      await tests.admin.pool.query(
        'select content, mask_version from search.chunk where account_id = $1 order by occurred_at desc',
        [accountId],
      )
    ).rows;
  const countOld = async (accountId: string): Promise<number> =>
    (await readChunks(accountId)).filter((chunk) => chunk.mask_version < MASK_VERSION).length;

  it('hides what older rules missed, and stores fingerprints of the credentials so that they can be looked up', async () => {
    const accountId = await storeOld(3);
    expect(JSON.stringify(await readChunks(accountId))).toContain('in_clear');
    expect(await pass()).toMatchObject({ rows: 6, failed: 0, nextAccountId: undefined });
    expect(JSON.stringify(await readChunks(accountId))).not.toContain('in_clear');
    expect(await countOld(accountId)).toBe(0);
    const seen = await findCredentialSightings(tests.admin.db, { accountId, value: secretOf(1), limit: 10 });
    expect(seen).toMatchObject([{ sourceKind: 'tool_call', ruleId: 'github' }]);
    expect(await pass()).toMatchObject({ rows: 0 });
  });

  it('stops at its limit, newest first, and resumes from there', async () => {
    const accountId = await storeOld(8);
    const summary = await pass({ maxRowsPerPass: 4 });
    expect(summary.rows).toBeLessThanOrEqual(4);
    const chunks = await readChunks(accountId);
    const isOld = chunks.map((chunk) => chunk.mask_version < MASK_VERSION);
    expect(isOld.indexOf(false)).toBe(0);
    expect(isOld.lastIndexOf(false)).toBeLessThan(isOld.indexOf(true));
    for (let passes = 0; (await countOld(accountId)) > 0; passes += 1) {
      expect(passes).toBeLessThan(20);
      await pass({ maxRowsPerPass: 4 });
    }
    expect(JSON.stringify(await readChunks(accountId))).not.toContain('in_clear');
  });

  it('masks chunks without a source in place', async () => {
    const accountId = await storeOld(1);
    await tests.admin.pool.query('delete from gateway.session_content where account_id = $1', [accountId]);
    await tests.admin.pool.query(
      "update search.chunk set content = 'kept ' || $2::text where account_id = $1 and source_kind = 'tool_call'",
      [accountId, secretOf(0)],
    );
    await pass();
    expect((await readChunks(accountId)).map(({ content }) => content).sort()).toEqual(['Old 0', 'kept [redacted]']);
  });

  it('stops between two sessions when the process shuts down', async () => {
    const accountId = await storeOld(2);
    await pass({}, undefined, AbortSignal.abort());
    expect(await countOld(accountId)).toBe(4);
  });
});
