import { newId } from '@steward/crypto';
import { useOpened } from '@steward/testing';
import type { ChunkSource } from '../../corpus/chunk-source.ts';
import { openSearch } from '../../testing/open-search.ts';
import type { KeywordSearchInput, SearchOptions } from '../keyword-search.ts';
import { RANKING } from '../rules/ranking.ts';

describe('keyword search', () => {
  const suite = useOpened(openSearch);
  const accountId = newId();

  const write = (text: string, more: Partial<ChunkSource> = {}) => suite().write(accountId, text, more);
  const strangerId = newId();
  const search = (query: string, more: Partial<KeywordSearchInput> = {}, options: Partial<SearchOptions> = {}) =>
    suite().search(accountId, query, more, options);

  it('finds rows that were just committed, during other writes (CORP-1)', async () => {
    await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const word = `unique${index}word`;
        const { source } = await write(`text with ${word} in it`);
        const page = await search(word);
        expect(page.sessions.map((session) => session.sessionId)).toEqual([source.runtimeSessionId]);
      }),
    );
  });

  it('never returns rows of another account, regardless of the query (SRCH-8)', async () => {
    await write('tenant secret zebra', { accountId: strangerId });
    for (const query of ['zebra', '"tenant secret"', 'zebra or nothing', 'secret -nothing']) {
      expect((await search(query)).total).toBe(0);
    }
    expect((await search('zebra', { accountId: strangerId })).total).toBe(1);
  });

  it.each([
    [1, 60],
    [1, 800],
    [2, 800],
    [3, 800],
    [8, 800],
    [3, 1200],
  ])('scores a word that occurs %i times in a chunk of %i characters as BM25 does (SRCH-13)', async (times, length) => {
    const word = `dunlin${times}of${length}`;
    await write(`${`${word} `.repeat(times)}`.padEnd(length, 'reed '));
    const [snippet] = (await search(word, { explain: true })).snippets;
    const { saturation, lengthShare, middlingBytes } = RANKING;
    const half = saturation * (1 - lengthShare + (lengthShare * length) / middlingBytes);
    expect(snippet?.termRanks[0]).toBeCloseTo(times / (times + half), 1);
  });

  it('returns the requested number of snippets, best first, with or without their texts (SRCH-15)', async () => {
    const runtimeSessionId = newId();
    for (const text of ['plover', 'plover plover', 'plover among many other words of no interest'])
      await write(text, { runtimeSessionId });
    const lengths = async (more: Partial<KeywordSearchInput>) => {
      const page = await search('plover', more);
      expect(page).toMatchObject({ total: 1, totalIsExact: true });
      expect(page.sessions).toMatchObject([{ sessionId: runtimeSessionId, matchedChunkCount: 3 }]);
      return page.snippets.map((snippet) => snippet.html?.length ?? null);
    };
    expect(await lengths({ maxSnippetsPerSession: 0 })).toEqual([]);
    expect(await lengths({ maxSnippetsPerSession: 2, includeSnippetText: false })).toEqual([null, null]);
    const { snippets } = await search('plover', {
      maxSnippetsPerSession: 10,
      explain: true,
      includeSnippetText: false,
    });
    expect(snippets.map((snippet) => snippet.termRanks)).toEqual(snippets.map((snippet) => [snippet.rank]));
    expect(snippets.map((snippet) => snippet.rank)).toEqual(
      snippets.map((snippet) => snippet.rank).sort((a, b) => b - a),
    );
    expect(snippets).toHaveLength(3);
  });

  it('marks the words and escapes markup (SRCH-16)', async () => {
    await write('if (a < b && c > d) then walrus & <img src=x onerror="alert(1)"> \'quoted\'');
    const [snippet] = (await search('walrus')).snippets;
    const html = snippet?.html ?? '';
    expect(html).toContain('<mark>walrus</mark>');
    expect(html.replaceAll(/<\/?mark>/g, '')).not.toMatch(/[<>]/);
  });

  it('pages without gaps or repeats while data arrives (SRCH-20)', async () => {
    for (let index = 0; index < 25; index += 1)
      await write(`pageword number ${index}`, { occurredAt: new Date(1_760_000_000_000 + index * 1000) });
    let asOf: Date | undefined;
    const seen: string[] = [];
    let after: KeywordSearchInput['after'];
    for (;;) {
      const page = await search('pageword', { limit: 10, asOf, after });
      asOf = page.asOf;
      const sessions = page.sessions.slice(0, 10);
      seen.push(...sessions.map((session) => session.sessionId));
      await write('pageword pageword arrives meanwhile');
      if (page.sessions.length <= 10) break;
      after = sessions.at(-1);
    }
    expect(seen).toHaveLength(25);
    expect(new Set(seen).size).toBe(25);
  });

  it('cancels the statement when no client is waiting any more, and releases the connection (SRCH-28)', async () => {
    const controller = new AbortController();
    controller.abort(new Error('client disconnected'));
    await expect(search('alpha', {}, { signal: controller.signal })).rejects.toThrow('client disconnected');
    expect(suite().database.pool.waitingCount).toBe(0);
  });

  it('uses the composite index of account and words (SRCH-26)', async () => {
    const client = await suite().database.pool.connect();
    try {
      await client.query('begin; set local enable_seqscan = off');
      const plan = await client.query(
        `explain select id from search.chunk where account_id = $1 and tsv @@ websearch_to_tsquery('simple', 'alpha')`,
        [accountId],
      );
      await client.query('rollback');
      expect(plan.rows.map((row) => String(row['QUERY PLAN'])).join('\n')).toMatch(/tsv/);
    } finally {
      client.release();
    }
  });
});
