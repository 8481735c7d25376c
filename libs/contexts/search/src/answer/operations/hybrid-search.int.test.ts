import { newId } from '@steward/crypto';
import { useOpened } from '@steward/testing';
import { at, idsOf } from '../../testing/open-answers.ts';
import { openSemantic } from '../../testing/open-semantic.ts';

const suite = useOpened(openSemantic);

describe('a semantic search (SRCH-32)', () => {
  it('finds sessions that contain no word of the query, nearest first, with their similarity', async () => {
    const { accountId, ids } = await suite().openAccount([
      'the automobile broke down',
      'a doctor called',
      'tea <b> & milk',
    ]);
    const answer = await suite().ask(accountId, { query: 'car', mode: 'semantic' });
    expect(answer).toMatchObject({ effectiveMode: 'semantic', total: 3, totalIsExact: true, nextCursor: null });
    expect(answer.degraded).toEqual({ keyword: false, semantic: false, reasons: [], detail: null });
    expect(idsOf(answer)[0]).toBe(ids[0]);
    const [first] = answer.results;
    expect(first).toMatchObject({ matchReason: 'semantic', keywordScore: null, score: first?.similarity });
    expect(first?.similarity ?? 0).toBeGreaterThan(0.4);
    expect(first?.match).toMatchObject({ matchedChunkCount: 1 });
    expect(first?.snippets).toMatchObject([
      { html: 'the automobile broke down', matchReason: 'semantic', similarity: first?.similarity },
    ]);
  });

  it('ranks by the best chunk, and shows the best chunks, escaped and without marks', async () => {
    const accountId = newId();
    await suite().enable(accountId);
    const id = await suite().tell(accountId, ['rain', 'vehicle <i>', 'an automobile and rain']);
    await suite().embedAll(accountId);
    const [first] = (await suite().ask(accountId, { query: 'car', mode: 'semantic', maxSnippetsPerSession: 2 }))
      .results;
    expect(first?.session.id).toBe(id);
    expect(first?.match?.matchedChunkCount).toBe(3);
    expect(first?.snippets.map(({ html }) => html)).toEqual(['vehicle &lt;i&gt;', 'an automobile and rain']);
    expect(first?.similarity).toBe(first?.snippets[0]?.similarity);
  });

  it('explains its score as the similarity', async () => {
    const { accountId } = await suite().openAccount(['automobile']);
    const [first] = (await suite().ask(accountId, { query: 'car', mode: 'semantic', explain: true })).results;
    expect(first?.explanation).toMatchObject({
      retrieval: 'vectors',
      terms: [],
      chunks: [],
      fusion: { keyword: null, semantic: { rank: 1, contribution: first?.score } },
    });
  });

  it('is refused if it has only exclusions, and costs nothing (SRCH-6)', async () => {
    const { accountId } = await suite().openAccount(['automobile']);
    const asked = suite().provider.asked.length;
    for (const mode of ['semantic', 'hybrid'] as const) {
      await expect(suite().ask(accountId, { query: '-car', mode })).rejects.toMatchObject({
        code: 'query_has_no_terms',
      });
    }
    expect(suite().provider.asked.length).toBe(asked);
  });
});

describe('a hybrid search (SRCH-34, SRCH-35)', () => {
  it('ranks sessions found by both halves first, and reports which half found each chunk', async () => {
    const { accountId, ids } = await suite().openAccount(['heron', 'automobile repair', 'car repair']);
    const answer = await suite().ask(accountId, { query: 'car repair', mode: 'hybrid' });
    expect(answer.effectiveMode).toBe('hybrid');
    expect(idsOf(answer)).toEqual([ids[2], ids[1], ids[0]]);
    expect(answer.results.map(({ matchReason }) => matchReason)).toEqual(['both', 'both', 'semantic']);
    expect(answer.results[0]).toMatchObject({ score: 1 });
    expect(answer.results[1]?.keywordScore).toBeGreaterThan(0);
    expect(answer.results[2]).toMatchObject({ keywordScore: null });
    expect(answer.results.map(({ similarity }) => similarity)).not.toContain(null);
  });

  it('finds content by keywords that has no vector yet', async () => {
    const { accountId, ids } = await suite().openAccount(['heron']);
    const late = await suite().tell(accountId, ['otter']);
    const answer = await suite().ask(accountId, { query: 'otter', mode: 'hybrid' });
    expect(answer.results.map(({ session, matchReason }) => [session.id, matchReason])).toEqual([
      [late, 'keyword'],
      [ids[0], 'semantic'],
    ]);
    expect(answer.results[0]).toMatchObject({ similarity: null });
  });

  it('marks matching words, and shows the chunks of the two halves alternately', async () => {
    const accountId = newId();
    await suite().enable(accountId);
    await suite().tell(accountId, ['car and rain and fog and hail', 'automobile', 'vehicle']);
    await suite().embedAll(accountId);
    const [first] = (await suite().ask(accountId, { query: 'car', mode: 'hybrid' })).results;
    expect(first?.snippets.map(({ html, matchReason }) => [html, matchReason])).toEqual([
      ['<mark>car</mark> and rain and fog and hail', 'both'],
      [expect.stringMatching(/^(automobile|vehicle)$/), 'semantic'],
      [expect.stringMatching(/^(automobile|vehicle)$/), 'semantic'],
    ]);
    expect(first?.snippets[0]?.rank).toBeGreaterThan(0);
    expect(first?.snippets[1]?.rank).toBe(first?.snippets[1]?.similarity);
  });

  it.each([
    ['a path', 'src/net', 'fog in src/net.ts', 'fog in <mark>src/net</mark>.ts'],
    ['a word with parts', 'fetchUser', 'fog calls fetchUser', 'fog calls <mark>fetchUser</mark>'],
    ['an accent of its own', 'caf\u00E9', 'fog at a cafe\u0301', 'fog at a <mark>caf\u00E9</mark>'],
  ])('marks the same words as a keyword search: %s', async (_what, query, text, html) => {
    const { accountId } = await suite().openAccount([text]);
    for (const mode of ['keyword', 'hybrid'] as const) {
      const [first] = (await suite().ask(accountId, { query, mode })).results;
      expect(first?.snippets.map((snippet) => snippet.html)).toEqual([html]);
    }
  });

  it('reports the parts of its scores, which add up to the score, and the keyword scores (SRCH-18)', async () => {
    const { accountId } = await suite().openAccount(['car repair', 'automobile', 'car']);
    const answer = await suite().ask(accountId, { query: 'car repair', mode: 'hybrid', explain: true });
    for (const { score, keywordScore, explanation } of answer.results) {
      const { keyword, semantic } = explanation?.fusion ?? {};
      expect((keyword?.contribution ?? 0) + (semantic?.contribution ?? 0)).toBeCloseTo(score, 5);
      const parts = explanation?.chunks.flatMap(({ weight, titleBonus, terms }) =>
        [titleBonus, ...terms.map(({ contribution }) => contribution)].map((part) => weight * part),
      );
      expect(parts?.reduce((sum, part) => sum + part, 0)).toBeCloseTo(keywordScore ?? 0, 5);
    }
  });

  it('has the requested number of snippets, without their text on request (SRCH-15)', async () => {
    const { accountId } = await suite().openAccount(['car repair']);
    const snippetsOf = async (more: object) =>
      (await suite().ask(accountId, { query: 'car', mode: 'hybrid', ...more })).results[0]?.snippets;
    expect(await snippetsOf({ maxSnippetsPerSession: 0 })).toEqual([]);
    expect(await snippetsOf({ includeSnippetText: false })).toMatchObject([{ html: null, matchReason: 'both' }]);
  });
});

describe('both halves of a search', () => {
  it('respect the filters (SRCH-7)', async () => {
    const accountId = newId();
    await suite().enable(accountId);
    const early = await suite().tell(accountId, ['automobile'], { occurredAt: at(3), role: 'user' });
    const late = await suite().tell(accountId, ['automobile'], { occurredAt: at(9), role: 'assistant' });
    await suite().embedAll(accountId);
    for (const mode of ['semantic', 'hybrid'] as const) {
      const found = async (filter: object) => idsOf(await suite().ask(accountId, { query: 'car', mode, filter }));
      expect(await found({ startDate: at(5) })).toEqual([late]);
      expect(await found({ endDate: at(9) })).toEqual([early]);
      expect(await found({ role: 'assistant' })).toEqual([late]);
      expect(await found({ sessionId: early })).toEqual([early]);
      expect(await found({ sourceKind: 'operator_note' })).toEqual([]);
    }
  });

  it('omit what the query excludes (SRCH-33)', async () => {
    const { accountId, ids } = await suite().openAccount([
      'automobile on ice',
      'automobile on snow',
      'vehicle in deep snow',
    ]);
    for (const mode of ['semantic', 'hybrid'] as const) {
      expect(idsOf(await suite().ask(accountId, { query: 'car -snow', mode }))).toEqual([ids[0]]);
      expect(idsOf(await suite().ask(accountId, { query: 'car -"deep snow"', mode })).sort()).toEqual(
        [ids[0], ids[1]].sort(),
      );
    }
  });

  it('exclude a compound word, not its parts as separate words (SRCH-3, SRCH-33)', async () => {
    const { accountId, ids } = await suite().openAccount(['automobile of src net', 'automobile of a/src/net/x']);
    for (const mode of ['semantic', 'hybrid'] as const)
      expect(idsOf(await suite().ask(accountId, { query: 'car -src/net', mode }))).toEqual([ids[0]]);
  });

  it("search only the caller's account (SRCH-8)", async () => {
    await suite().openAccount(['automobile of another']);
    const { accountId, ids } = await suite().openAccount(['rain']);
    expect(idsOf(await suite().ask(accountId, { query: 'car', mode: 'semantic' }))).toEqual(ids);
  });

  it('return the sessions named by the query first and do not repeat them (SRCH-9, SRCH-12)', async () => {
    const accountId = newId();
    await suite().enable(accountId);
    const other = await suite().tell(accountId, ['ticket-car']);
    const named = await suite().tell(accountId, ['rain'], { sessionReference: 'car' });
    await suite().embedAll(accountId);
    for (const mode of ['semantic', 'hybrid'] as const) {
      const answer = await suite().ask(accountId, { query: 'car', mode });
      expect(answer.results.map(({ session, matchReason }) => [session.id, matchReason])).toMatchObject([
        [named, 'identifier'],
        [other, expect.anything()],
      ]);
      expect(answer.total).toBe(2);
      expect(answer.results[0]?.score).toBeGreaterThanOrEqual(1);
      expect(answer.results[0]?.similarity).not.toBeNull();
    }
  });

  it('are recorded in the audit log and the log line with query, mode and count (SRCH-30)', async () => {
    const { accountId } = await suite().openAccount(['automobile']);
    suite().audited.length = 0;
    suite().lines.length = 0;
    await suite().ask(accountId, { query: 'car', mode: 'hybrid' });
    const outcome = {
      mode: 'hybrid',
      effective_mode: 'hybrid',
      result_count: 1,
      total_matched: 1,
      degraded_reasons: [],
    };
    expect(suite().audited).toMatchObject([{ status: 'success', details: outcome }]);
    expect(suite().lines).toMatchObject([{ event: 'search.answered', fields: { outcome: 'ok', ...outcome } }]);
    expect(JSON.stringify([suite().audited, suite().lines])).not.toMatch(/car|key-of-provider/);
  });
});
