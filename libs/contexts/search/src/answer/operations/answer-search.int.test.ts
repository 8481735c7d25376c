import { createSecretBox, KEY_PURPOSES, newId } from '@steward/crypto';
import { DEGRADED_REASONS } from '@steward/contracts';
import { useOpened } from '@steward/testing';
import { at, COVERAGE, idsOf, openAnswers } from '../../testing/open-answers.ts';
import { saveEmbeddingSetting } from '../../embedding/operations/save-embedding-setting.ts';
import type { SearchAnswer } from '../search-answer.ts';
import type { SearchRequest } from '../search-request.ts';

const suite = useOpened(openAnswers);
describe('the response to a search', () => {
  it('reports the query, the mode that ran and the coverage of the corpus (SRCH-4, SRCH-19)', async () => {
    const accountId = newId();
    const id = await suite().tell(accountId, ['the falcon has landed']);
    const answer = await suite().ask(accountId, { query: '  falcon  landed ' });
    expect(answer).toMatchObject({
      query: 'falcon landed',
      mode: 'keyword',
      effectiveMode: 'keyword',
      total: 1,
      totalIsExact: true,
      limit: 20,
      offset: 0,
      nextCursor: null,
      coverage: COVERAGE,
      degraded: { keyword: false, semantic: false, reasons: [], detail: null },
    });
    expect(answer.elapsedMs).toBeGreaterThan(0);
    expect(idsOf(answer)).toEqual([id]);
    expect(answer.results[0]).toMatchObject({ matchReason: 'keyword', explanation: undefined });
  });

  it.each(['semantic', 'hybrid'] as const)('%s falls back to keywords and says why (SRCH-4, SRCH-24)', async (mode) => {
    const accountId = newId();
    const id = await suite().tell(accountId, ['falcon']);
    const answer = await suite().ask(accountId, { query: 'falcon', mode });
    expect(answer).toMatchObject({
      mode,
      effectiveMode: 'keyword',
      degraded: {
        keyword: false,
        semantic: true,
        reasons: ['semantic_not_enabled'],
        detail: DEGRADED_REASONS.semantic_not_enabled,
      },
    });
    expect(idsOf(answer)).toEqual([id]);
  });

  it('reports that an account with embedding enabled has no vectors yet (SRCH-24, EMB-10)', async () => {
    const accountId = newId();
    const id = await suite().tell(accountId, ['falcon']);
    const patch = { isEnabled: true, modelIdentifier: 'model', baseUrl: 'https://embeddings.example.com' };
    const save = { accountId, patch, insecureOrigins: [], now: new Date() };
    const box = createSecretBox('0123456789abcdef0123456789abcdef', KEY_PURPOSES.embedding);
    await suite()
      .database.db.transaction()
      .execute((trx) => saveEmbeddingSetting(trx, save, box));
    const answer = await suite().ask(accountId, { query: 'falcon', mode: 'hybrid' });
    expect(answer.degraded.reasons).toEqual(['semantic_no_vectors']);
    expect(idsOf(answer)).toEqual([id]);
  });

  it('is ordered by score, then last match, then id (SRCH-13)', async () => {
    const accountId = newId();
    const text = 'otter among words';
    const older = await suite().tell(accountId, [text], { occurredAt: at(1) });
    const twins = [
      await suite().tell(accountId, [text], { occurredAt: at(2) }),
      await suite().tell(accountId, [text], { occurredAt: at(2) }),
    ];
    const better = await suite().tell(accountId, ['otter otter otter'], { occurredAt: at(1) });
    const answer = await suite().ask(accountId, { query: 'otter' });
    expect(idsOf(answer)).toEqual([better, ...twins.sort().reverse(), older]);
  });

  it('scores a match in a title or summary slightly higher (SRCH-13)', async () => {
    const accountId = newId();
    const said = await suite().tell(accountId, ['badger in a text']);
    const titled = await suite().tell(accountId, ['badger in a text'], { sourceKind: 'session_summary' });
    const [first, second] = (await suite().ask(accountId, { query: 'badger' })).results;
    expect([first?.session.id, second?.session.id]).toEqual([titled, said]);
    expect(first?.score ?? 0).toBeGreaterThan(second?.score ?? 0);
  });

  it('includes the parts of each score, which add up to it, on request (SRCH-18)', async () => {
    const accountId = newId();
    await suite().tell(accountId, ['lynx', 'a lynx and a lynx', 'no such animal', 'lynx in many other words']);
    await suite().tell(accountId, ['lynx', 'puma'], { sourceKind: 'session_summary' });
    const answer = await suite().ask(accountId, { query: 'lynx or puma', explain: true, maxSnippetsPerSession: 1 });
    expect(answer.results).toHaveLength(2);
    for (const { score, explanation, snippets } of answer.results) {
      const parts = explanation?.chunks.map(({ weight, titleBonus, terms }) =>
        terms.reduce((sum, { contribution }) => sum + weight * contribution, weight * titleBonus),
      );
      expect(parts?.reduce((sum, part) => sum + part, 0)).toBeCloseTo(score, 5);
      expect(snippets).toHaveLength(1);
    }
    expect(answer.results[0]?.explanation?.retrieval).toBe('all');
  });

  it('contains no credentials in titles and snippets (SRCH-17)', async () => {
    const accountId = newId();
    const token = ['ghp', 'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW2xY4'].join('_');
    await suite().tell(accountId, [`marten ${token}`], { title: `Key ${token}` });
    const answer = await suite().ask(accountId, { query: 'marten' });
    expect(answer.results[0]?.session.title).toBe('Key [redacted]');
    expect(answer.results[0]?.snippets[0]?.html).toBe('<mark>marten</mark> [redacted]');
  });

  it('omits a deleted session whose chunks still exist', async () => {
    const accountId = newId();
    await suite().write(accountId, 'ferret of nobody');
    const id = await suite().tell(accountId, ['ferret']);
    expect(idsOf(await suite().ask(accountId, { query: 'ferret' }))).toEqual([id]);
  });

  it('contains the requested number of snippets, without their text on request (SRCH-15)', async () => {
    const accountId = newId();
    await suite().tell(
      accountId,
      Array.from({ length: 12 }, (_, index) => `weasel ${index}`),
    );
    const snippetsOf = async (more: Partial<SearchRequest>) =>
      (await suite().ask(accountId, { query: 'weasel', ...more })).results[0]?.snippets.map(({ html }) => html);
    expect(await snippetsOf({})).toHaveLength(3);
    expect(await snippetsOf({ maxSnippetsPerSession: 0 })).toEqual([]);
    expect(await snippetsOf({ maxSnippetsPerSession: 10 })).toHaveLength(10);
    expect(await snippetsOf({ includeSnippetText: false })).toEqual([null, null, null]);
  });
});

describe('the pages of a response', () => {
  const accountId = newId();
  const expected: string[] = [];
  beforeAll(async () => {
    for (let day = 1; day <= 9; day += 1)
      expected.unshift(await suite().tell(accountId, ['heron at the lake'], { occurredAt: at(day) }));
  });

  async function readPages(request: SearchRequest, betweenPages = (): Promise<unknown> => Promise.resolve()) {
    const pages: SearchAnswer[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await suite().ask(accountId, { ...request, ...(cursor === undefined ? {} : { cursor }) });
      pages.push(page);
      if (page.nextCursor === null) return pages;
      cursor = page.nextCursor;
      await betweenPages();
    }
  }

  it.each([1, 2, 3, 4, 8, 9, 10])('contain each of %s sessions once, in order (SRCH-20)', async (limit) => {
    const pages = await readPages({ query: 'heron', limit });
    expect(pages.flatMap(idsOf)).toEqual(expected);
    expect(pages.map(({ total }) => total)).toEqual(pages.map(() => 9));
    expect(pages).toHaveLength(Math.ceil(9 / limit));
  });

  it('reflect the corpus at the time of the first page, whatever is added in the meantime (SRCH-20)', async () => {
    const other = newId();
    const own: string[] = [];
    for (let day = 1; day <= 5; day += 1) own.unshift(await suite().tell(other, ['crane'], { occurredAt: at(day) }));
    const seen: string[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await suite().ask(other, { query: 'crane', limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      seen.push(...idsOf(page));
      await suite().tell(other, ['crane crane crane'], { occurredAt: at(20) });
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(own);
  });

  it.each([0, 1, 4, 8, 9, 50])(
    'begin at an offset of %s; beyond the matches they are empty (SRCH-22)',
    async (offset) => {
      const answer = await suite().ask(accountId, { query: 'heron', offset, limit: 3 });
      expect(idsOf(answer)).toEqual(expected.slice(offset, offset + 3));
      expect(answer.offset).toBe(offset);
    },
  );

  it('continue if the end of the range is the current time, which has moved on (SRCH-21)', async () => {
    const range = (end: number) => ({ filter: { endDate: new Date(at(30).getTime() + end) } });
    const first = await suite().ask(accountId, { query: 'heron', limit: 4, ...range(0) });
    const cursor = first.nextCursor ?? '';
    const second = await suite().ask(accountId, { query: 'heron', limit: 5, cursor, ...range(5000) });
    expect([...idsOf(first), ...idsOf(second)]).toEqual(expected);
  });

  it('are refused with the cursor of another query, filter or account (SRCH-21, SRCH-8)', async () => {
    const { nextCursor } = await suite().ask(accountId, { query: 'heron', limit: 4 });
    const cursor = nextCursor ?? '';
    const refused = { code: 'invalid_request', detail: { field: 'cursor' } };
    await expect(suite().ask(accountId, { query: 'crane', cursor })).rejects.toMatchObject(refused);
    await expect(suite().ask(accountId, { query: 'heron', filter: { role: 'user' }, cursor })).rejects.toMatchObject(
      refused,
    );
    await expect(suite().ask(newId(), { query: 'heron', cursor })).rejects.toMatchObject(refused);
  });
});
