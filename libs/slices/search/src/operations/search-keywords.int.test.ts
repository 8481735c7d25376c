import fc from 'fast-check';
import { APP_ROLES, createDatabase, transact, type Database } from '@steward/database';
import { type AppError, createLogger, newId } from '@steward/runtime';
import { createTestDatabase, type TestDatabase } from '@steward/testing';
import { readSimpleQuery } from '../rules/keyword-query.ts';
import { listQueryTerms } from '../rules/query-terms.ts';
import type { ChunkSource } from '../schema.ts';
import { SEARCH_SESSION_SETTINGS } from '../store/session-settings.ts';
import { searchKeywords, type KeywordSearchInput } from './search-keywords.ts';
import { writeChunks } from './write-chunks.ts';

describe('keyword search', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  const accountId = newId();
  const strangerId = newId();

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    const logger = createLogger({ service: 'test', level: 'error', pretty: false });
    database = createDatabase({
      url: testDatabase.urlForRole(APP_ROLES.apiGateway),
      applicationName: 'test',
      poolSize: 10,
      logger,
      sessionSettings: SEARCH_SESSION_SETTINGS,
    });
  });
  afterAll(async () => {
    await database.close();
    await testDatabase.drop();
  });

  const write = (text: string, more: Partial<ChunkSource> = {}) => {
    const source: ChunkSource = {
      accountId,
      runtimeSessionId: newId(),
      sourceKind: 'tool_call',
      sourceId: newId(),
      occurredAt: new Date('2026-11-20T10:00:00Z'),
      role: null,
      redactionState: 'clear',
      ...more,
      text,
    };
    return transact({ db: database.db, broker: { publishHint: () => undefined } }, async (trx, hints) => ({
      source,
      outcome: await writeChunks(trx, hints, [source]),
    }));
  };
  const search = (
    query: string,
    more: Partial<KeywordSearchInput> = {},
    options: { timeoutMs?: number; signal?: AbortSignal } = {},
  ) =>
    searchKeywords(
      { work: database.pool, cancel: database.pool },
      {
        accountId,
        query,
        strictness: 'strict',
        filter: {},
        limit: 20,
        offset: 0,
        maxSnippetsPerSession: 3,
        includeSnippetText: true,
        ...more,
      },
      { timeoutMs: 5000, signal: new AbortController().signal, ...options },
    );

  it('finds what was committed a moment ago, whoever writes beside', async () => {
    await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const word = `unique${index}word`;
        const { source } = await write(`text with ${word} in it`);
        const page = await search(word);
        expect(page.sessions.map((session) => session.sessionId)).toEqual([source.runtimeSessionId]);
      }),
    );
  });

  it('never answers a row of another account, whatever the query', async () => {
    await write('tenant secret zebra', { accountId: strangerId });
    for (const query of ['zebra', '"tenant secret"', 'zebra or nothing', 'secret -nothing']) {
      expect((await search(query)).total).toBe(0);
    }
    expect((await search('zebra', { accountId: strangerId })).total).toBe(1);
  });

  it('reads phrases, exclusions and or', async () => {
    const { source: first } = await write('alpha beta gamma');
    const { source: second } = await write('beta alpha delta');
    const ids = async (query: string) => (await search(query)).sessions.map((session) => session.sessionId).sort();
    const both = [first.runtimeSessionId, second.runtimeSessionId].sort();
    expect(await ids('alpha beta')).toEqual(both);
    expect(await ids('"alpha beta"')).toEqual([first.runtimeSessionId]);
    expect(await ids('alpha -gamma')).toEqual([second.runtimeSessionId]);
    expect(await ids('gamma or delta')).toEqual(both);
  });

  it('relaxes plain words to any of them, and leaves operators strict', async () => {
    const { source } = await write('kiwi only');
    const any = await search('kiwi papaya', { strictness: 'any_word' });
    expect(any.sessions.map((session) => session.sessionId)).toEqual([source.runtimeSessionId]);
    expect((await search('"kiwi papaya"', { strictness: 'any_word' })).total).toBe(0);
    expect((await search('kiwi papaya')).total).toBe(0);
  });

  it.each(['-foo', '-foo -bar', '!!!', '" "', '*'])('refuses %j, which asks for no word', async (query) => {
    await expect(search(query)).rejects.toMatchObject({ code: 'query_has_no_terms' });
  });

  it('answers any other text as a query without failing', async () => {
    const odd = fc.array(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('"', "'", '-', ' or ', '&', '|', '!', ':*', '<->', '(', ')', '\\', '%'),
      ),
      { maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(odd, async (parts) => {
        const query = parts.join('').replaceAll('\u0000', ' ').toWellFormed().slice(0, 512);
        const outcome = await search(query).catch((error: unknown) => error);
        if (outcome instanceof Error) expect((outcome as AppError).code).toBe('query_has_no_terms');
      }),
      { numRuns: 150 },
    );
  });

  it('finds exactly what Postgres’ own reading of the query matches', async () => {
    const words = ['ash', 'birch', 'cedar', 'elm'];
    const word = fc.constantFrom(...words);
    const part = fc.oneof(
      word,
      word.map((each) => `-${each}`),
      fc.tuple(word, word).map(([a, b]) => `"${a} ${b}"`),
      fc.constant('or'),
    );
    const otherId = newId();
    await fc.assert(
      fc.asyncProperty(
        fc.array(word, { minLength: 1, maxLength: 6 }),
        fc.array(part, { minLength: 1, maxLength: 5 }),
        async (text, parts) => {
          const { source } = await write(text.join(' '), { accountId: otherId });
          const query = parts.join(' ');
          const oracle = await database.pool.query(
            `select to_tsvector('simple', $1) @@ websearch_to_tsquery('simple', $2) as matches,
             querytree(websearch_to_tsquery('simple', $2)) in ('', 'T') as refused`,
            [text.join(' '), query],
          );
          const { matches, refused } = oracle.rows[0] as { matches: boolean; refused: boolean };
          const found = await search(query, {
            accountId: otherId,
            filter: { sessionId: source.runtimeSessionId },
          }).catch((error: AppError) => error.code);
          expect(typeof found === 'string' ? found : found.total).toBe(
            refused ? 'query_has_no_terms' : matches ? 1 : 0,
          );
        },
      ),
      { numRuns: 120 },
    );
  });

  it('reads a query of simple words as Postgres does, without asking it', async () => {
    const letters = fc.array(fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), { minLength: 1, maxLength: 40 });
    const word = fc.oneof(
      letters.map((each) => each.join('')),
      fc.constantFrom('or', 'and', 'not', 'orr', 'the', 'http', 'www', 'e', 'nan', 'null'),
    );
    const words = fc.array(word, { minLength: 1, maxLength: 4 }).map((each) => each.join(' '));
    const item = fc.oneof(
      { weight: 3, arbitrary: word },
      fc.constant('or'),
      fc
        .tuple(fc.constantFrom('', '-'), fc.constantFrom('', '"'), words)
        .map(([minus, mark, each]) => minus + mark + each + mark),
    );
    const items = fc.array(item, { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(items, fc.boolean(), async (each, anyWord) => {
        const query = each.join(' ');
        const own = readSimpleQuery(query, anyWord);
        if (own === undefined) return expect(query).toMatch(anyWord ? /\bor\b|["-]/ : /\bor\b|^-/);
        const parser = anyWord
          ? `replace(plainto_tsquery('simple', $1)::text, ' & ', ' | ')::tsquery`
          : `websearch_to_tsquery('simple', $1)`;
        const oracle = await database.pool.query(
          `select q::text, querytree(q) as tree from (select ${parser} as q) parsed`,
          [query],
        );
        const { q, tree } = oracle.rows[0] as { q: string; tree: string };
        expect(own).toEqual({ tsquery: q, terms: listQueryTerms(tree) });
      }),
      { numRuns: 1000 },
    );
  });

  it.each(['lone', 'two words', '"a phrase"', 'a -b', '-b a', 'a -"b c"', 'a b or "c d" -e or f'])(
    'asks nobody what %s means',
    (query) => {
      expect(readSimpleQuery(query, false)).toBeDefined();
    },
  );

  it('gives as many snippets as asked for, best first, with their texts or without', async () => {
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

  it('marks the words and escapes what would be markup', async () => {
    await write('if (a < b && c > d) then walrus & <img src=x onerror="alert(1)"> \'quoted\'');
    const [snippet] = (await search('walrus')).snippets;
    const html = snippet?.html ?? '';
    expect(html).toContain('<mark>walrus</mark>');
    expect(html.replaceAll(/<\/?mark>/g, '')).not.toMatch(/[<>]/);
  });

  it('pages without gaps or repeats while data arrives', async () => {
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

  it('the same text again changes nothing, another replaces all chunks, none removes them', async () => {
    const long = 'first version '.repeat(400);
    const { source, outcome } = await write(long);
    expect(outcome.written).toBe(1);
    expect((await write(long, source)).outcome).toEqual({ written: 0, unchanged: 1, chunks: 0 });
    expect((await write('second edition', source)).outcome).toMatchObject({ written: 1, chunks: 1 });
    expect((await search('version', { filter: { sessionId: source.runtimeSessionId } })).total).toBe(0);
    expect((await search('edition', { filter: { sessionId: source.runtimeSessionId } })).total).toBe(1);
    await write('', source);
    expect((await search('edition', { filter: { sessionId: source.runtimeSessionId } })).total).toBe(0);
  });

  it('two writers of one summary end with one consistent set of chunks', async () => {
    const summary = { sourceKind: 'session_summary' as const, sourceId: newId(), runtimeSessionId: newId() };
    await Promise.all(Array.from({ length: 8 }, (_, index) => write(`summary take${index} `.repeat(200), summary)));
    const rows = await database.pool.query(
      'select count(distinct content_hash) as hashes, count(*) as rows, max(chunk_count) as expected from search.chunk where account_id = $1 and source_id = $2',
      [accountId, summary.sourceId],
    );
    expect(rows.rows[0]).toMatchObject({ hashes: 1 });
    expect(rows.rows[0].rows).toBe(rows.rows[0].expected);
  });

  it('cancels the statement when nobody waits any more, and frees the connection', async () => {
    const controller = new AbortController();
    controller.abort(new Error('client disconnected'));
    await expect(search('alpha', {}, { signal: controller.signal })).rejects.toThrow('client disconnected');
    expect(database.pool.waitingCount).toBe(0);
  });

  it('uses the composite index of account and words', async () => {
    const client = await database.pool.connect();
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
