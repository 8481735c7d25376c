import { newId } from '@steward/crypto';
import { at, idsOf, NO_PROVIDER } from '../../testing/open-answers.ts';
import { openSemantic, type OpenSemantic } from '../../testing/open-semantic.ts';
import { readPages } from '../../testing/read-pages.ts';
import type { SearchRequest } from '../search-request.ts';

const DEPTH = 10;
let suite: OpenSemantic;
beforeAll(async () => {
  suite = await openSemantic({ fusion: { ...NO_PROVIDER.fusion, depth: DEPTH } });
});
beforeEach(() => suite.provider.answerAgain());
afterAll(() => suite.close());

const MODES = ['semantic', 'hybrid'] as const;

/** Adds sessions with vectors; the last one is the most similar to the query. */
async function fill(count: number): Promise<string> {
  const accountId = newId();
  await suite.enable(accountId);
  for (let place = 1; place <= count; place += 1) {
    const others = 'a b c d e f g h i j k'.split(' ').slice(0, count - place);
    await suite.tell(accountId, [['heron', ...others].join(' ')], { occurredAt: at(place) });
  }
  await suite.embedAll(accountId);
  return accountId;
}

describe.each(MODES)('the pages of a %s search (SRCH-36)', (mode) => {
  const request: SearchRequest = { query: 'heron', mode };
  let accountId: string;
  let expected: string[];
  const ask = (asked: SearchRequest) => suite.ask(accountId, asked);
  beforeAll(async () => {
    accountId = await fill(8);
    expected = idsOf(await ask({ ...request, limit: 50 }));
  });

  it.each([1, 2, 3, 7, 8, 9])('show each of %s sessions once, in a consistent order', async (limit) => {
    const pages = await readPages(ask, { ...request, limit });
    expect(pages.flatMap(idsOf)).toEqual(expected);
    expect(pages.map(({ total, totalIsExact }) => [total, totalIsExact])).toEqual(pages.map(() => [8, true]));
    expect(pages.map(({ effectiveMode }) => effectiveMode)).toEqual(pages.map(() => mode));
    expect(pages.flatMap(({ degraded }) => degraded.reasons)).toEqual([]);
  });

  it.each([0, 1, 5, 7, 8, 10_000])('begin at an offset of %s; beyond the matches they are empty', async (offset) => {
    const answer = await ask({ ...request, offset, limit: 3 });
    expect(idsOf(answer)).toEqual(expected.slice(offset, offset + 3));
    expect(answer).toMatchObject({ offset, total: 8, degraded: { reasons: [] } });
  });

  it('do not shift while content and vectors arrive (SRCH-20)', async () => {
    const own = await fill(6);
    const first = idsOf(await suite.ask(own, { ...request, limit: 50 }));
    const pages = await readPages(
      (asked) => suite.ask(own, asked),
      { ...request, limit: 2 },
      async () => {
        await suite.tell(own, ['heron']);
        await suite.embedAll(own);
      },
    );
    expect(pages.flatMap(idsOf)).toEqual(first);
  });

  it('are refused with the cursor of another query, filter, mode or account (SRCH-21)', async () => {
    const { nextCursor } = await ask({ ...request, limit: 3 });
    const cursor = nextCursor ?? '';
    const refused = { code: 'invalid_request', detail: { field: 'cursor' } };
    const others: SearchRequest[] = [
      { query: 'crane', mode, cursor },
      { query: 'heron', mode: mode === 'hybrid' ? 'semantic' : 'hybrid', cursor },
      { query: 'heron', mode: 'keyword', cursor },
      { query: 'heron', mode, filter: { role: 'user' }, cursor },
    ];
    for (const other of others) await expect(ask(other)).rejects.toMatchObject(refused);
    await expect(suite.ask(newId(), { ...request, cursor })).rejects.toMatchObject(refused);
    const words = await ask({ query: 'heron', limit: 3 });
    await expect(ask({ ...request, cursor: words.nextCursor ?? '' })).rejects.toMatchObject(refused);
  });

  it('continue with keyword results if the provider fails, without repeating a session', async () => {
    const own = await fill(6);
    suite.provider.answerAgain();
    const other = 'heron ' + 'x'.repeat(3);
    const whole = idsOf(await suite.ask(own, { query: other, mode, limit: 50 }));
    const { nextCursor, ...first } = await suite.ask(own, { query: other, mode, limit: 2 });
    await suite.disable(own);
    const rest = await readPages((asked) => suite.ask(own, asked), {
      query: other,
      mode,
      limit: 3,
      cursor: nextCursor ?? '',
    });
    expect(rest[0]).toMatchObject({ effectiveMode: 'keyword', degraded: { reasons: ['semantic_not_enabled'] } });
    const seen = [...first.results.map(({ session }) => session.id), ...rest.flatMap(idsOf)];
    expect(new Set(seen).size).toBe(seen.length);
    if (mode === 'hybrid') expect([...seen].sort()).toEqual([...whole].sort());
  });

  it('continue with keyword results if the first page had keyword results, and report the reason, even if the provider recovers', async () => {
    const own = await fill(5);
    suite.provider.answerWith(500);
    const pages = await readPages(
      (asked) => suite.ask(own, asked),
      { ...request, limit: 2 },
      () => suite.provider.answerAgain(),
    );
    expect(pages.map(({ effectiveMode }) => effectiveMode)).toEqual(['keyword', 'keyword', 'keyword']);
    expect(pages.map(({ degraded }) => degraded.reasons)).toEqual(pages.map(() => ['semantic_provider_error']));
    expect(new Set(pages.flatMap(idsOf)).size).toBe(5);
  });
});

describe('a list beyond its depth limit (SRCH-37)', () => {
  it.each(MODES)('%s: reports where it ends; pages beyond that limit are empty and not an error', async (mode) => {
    const accountId = newId();
    await suite.enable(accountId);
    for (let day = 1; day <= DEPTH + 5; day += 1) await suite.tell(accountId, ['heron'], { occurredAt: at(day) });
    await suite.embedAll(accountId);
    const ask = (more: Partial<SearchRequest>) => suite.ask(accountId, { query: 'heron', mode, ...more });
    const first = await ask({ limit: 4 });
    expect(first).toMatchObject({ total: DEPTH, totalIsExact: false, degraded: { reasons: [] } });
    expect(first.nextCursor).not.toBeNull();
    const pages = await readPages(ask, { query: 'heron', mode, limit: 4 });
    expect(pages.flatMap(idsOf)).toHaveLength(DEPTH);
    expect(pages.map(({ degraded }) => degraded.reasons)).toEqual([[], [], ['fusion_candidates_truncated']]);
    const beyond = await ask({ offset: 500 });
    expect(beyond).toMatchObject({
      results: [],
      total: DEPTH,
      effectiveMode: mode,
      nextCursor: null,
      degraded: { reasons: ['fusion_candidates_truncated'] },
    });
  });
});
