import { DEGRADED_REASONS, type DegradedReason } from '@steward/contracts';
import { createSecretBox, KEY_PURPOSES, newId } from '@steward/crypto';
import { idsOf, NO_PROVIDER } from '../../testing/open-answers.ts';
import { openSemantic, type OpenSemantic } from '../../testing/open-semantic.ts';
import type { SearchAnswer } from '../search-answer.ts';
import type { SearchPorts } from '../search-ports.ts';
import type { SearchRequest } from '../search-request.ts';

let suite: OpenSemantic;
beforeAll(async () => {
  suite = await openSemantic({ fusion: { ...NO_PROVIDER.fusion, depth: 10 } });
});
beforeEach(() => suite.provider.answerAgain());
afterAll(() => suite.close());

const TEXTS = ['an automobile, a car', 'car repair', 'the physician'];
const QUERY = 'car repair';

/** Returns the whole response except the elapsed time; keyword ranks do not depend on when the search runs. */
function readAnswer({ elapsedMs: _time, ...answer }: SearchAnswer) {
  return answer;
}

interface Case {
  readonly reason: DegradedReason;
  /** Creates the condition for this reason, for an account with semantic search. */
  readonly arrange: (accountId: string) => Promise<unknown> | void;
  /** Ports of a search service that is configured differently. */
  readonly deployment?: Partial<SearchPorts>;
  readonly others?: readonly DegradedReason[];
  /** Whether the corpus has vectors; default: true. */
  readonly isEmbedded?: boolean;
}

/** Reasons why the semantic half does not run, with the conditions that cause them. */
const MISSING: readonly Case[] = [
  { reason: 'semantic_not_enabled', arrange: (accountId) => suite.disable(accountId) },
  { reason: 'semantic_disabled_by_deployment', arrange: () => undefined, deployment: { embeddingEnabled: false } },
  {
    reason: 'semantic_daily_cap_reached',
    // In this deployment, one token of a query costs a millionth of a dollar.
    arrange: (accountId) => suite.enable(accountId, { dailyCapUsd: 0.000001 }),
  },
  { reason: 'semantic_provider_error', arrange: () => suite.provider.answerWith(503) },
  { reason: 'semantic_provider_error', arrange: () => suite.provider.answerWith(401) },
  { reason: 'semantic_provider_misconfigured', arrange: () => suite.provider.answerWith(404) },
  {
    reason: 'semantic_model_mismatch',
    arrange: (accountId) => suite.enable(accountId, { modelIdentifier: 'another-model' }),
    others: ['semantic_backfill_incomplete'],
  },
  { reason: 'semantic_no_vectors', isEmbedded: false, arrange: () => undefined },
];

describe.each(MISSING)('$reason (SRCH-24)', ({ reason, arrange, deployment = {}, others = [], isEmbedded }) => {
  const request: SearchRequest = { query: QUERY };
  const byWords = new Map<string, SearchAnswer>();
  let accountId: string;
  const ask = (more: Partial<SearchRequest>) => suite.askWith(deployment, accountId, { ...request, ...more });

  beforeAll(async () => {
    accountId = (await suite.openAccount(TEXTS, isEmbedded)).accountId;
    suite.provider.answerAgain();
    byWords.set('keyword', await ask({}));
    // The keyword results of a hybrid search, for an account without embedding.
    await suite.disable(accountId);
    for (const mode of ['semantic', 'hybrid'] as const) byWords.set(mode, await ask({ mode }));
    await suite.enable(accountId);
  });
  beforeEach(() => arrange(accountId));

  it.each(['semantic', 'hybrid'] as const)('is reported by a %s search with keyword results', async (mode) => {
    const { degraded, effectiveMode, embeddedThrough: _through, ...answer } = readAnswer(await ask({ mode }));
    expect(effectiveMode).toBe('keyword');
    expect(degraded).toEqual({
      keyword: false,
      semantic: true,
      reasons: [reason, ...others],
      detail: DEGRADED_REASONS[reason],
    });
    const expected = byWords.get(mode);
    expect(expected?.results.length).toBeGreaterThan(0);
    expect({ ...expected, ...answer, elapsedMs: 0 }).toEqual({ ...expected, elapsedMs: 0 });
  });

  it('does not affect keyword search, whose complete response is unchanged', async () => {
    const expected = byWords.get('keyword');
    expect(expected && readAnswer(expected)).toEqual(readAnswer(await ask({})));
  });
});

describe('semantic_backfill_incomplete (SRCH-31)', () => {
  it('is reported while content waits for its vector; the search still runs', async () => {
    const { accountId } = await suite.openAccount(TEXTS);
    const ask = (mode: 'hybrid' | 'semantic') => suite.ask(accountId, { query: QUERY, mode });
    const before = await ask('hybrid');
    expect(before).toMatchObject({ effectiveMode: 'hybrid', degraded: { reasons: [] } });
    expect(before.embeddedThrough?.getTime()).toBeGreaterThan(Date.now() - 60_000);
    const keyword = readAnswer(await suite.ask(accountId, { query: 'automobile' }));
    await suite.tell(accountId, ['bicycle'], { sourceKind: 'session_summary' });
    for (const mode of ['hybrid', 'semantic'] as const) {
      expect(await ask(mode)).toMatchObject({
        effectiveMode: mode,
        degraded: {
          keyword: false,
          reasons: ['semantic_backfill_incomplete'],
          detail: DEGRADED_REASONS.semantic_backfill_incomplete,
        },
      });
    }
    expect(readAnswer(await suite.ask(accountId, { query: 'automobile' }))).toEqual(keyword);
  });

  it('also reports the spending cap if today’s budget was used up before everything was embedded', async () => {
    const { accountId } = await suite.openAccount(TEXTS);
    // The cap is sufficient for the query, but not for the document.
    await suite.tell(accountId, ['kiwi '.repeat(100)], { sourceKind: 'session_summary' });
    await suite.enable(accountId, { dailyCapUsd: 0.0001 });
    expect(await suite.claim(accountId)).toMatchObject({ stopped: 'semantic_daily_cap_reached' });
    const answer = await suite.ask(accountId, { query: QUERY, mode: 'hybrid' });
    expect(answer).toMatchObject({
      effectiveMode: 'hybrid',
      degraded: { reasons: ['semantic_backfill_incomplete', 'semantic_daily_cap_reached'] },
    });
  });
});

describe('fusion_candidates_truncated (SRCH-37)', () => {
  it('does not affect keyword searches, whose pages continue', async () => {
    const accountId = newId();
    await suite.enable(accountId);
    for (let place = 0; place < 12; place += 1) await suite.tell(accountId, ['car']);
    await suite.embedAll(accountId);
    const ask = (more: Partial<SearchRequest>) => suite.ask(accountId, { query: 'car', limit: 50, ...more });
    expect((await ask({ mode: 'hybrid' })).degraded.reasons).toEqual(['fusion_candidates_truncated']);
    expect(await ask({})).toMatchObject({ total: 12, totalIsExact: true, degraded: { reasons: [] } });
  });
});

describe('a provider that is paused (EMB-16, EMB-18)', () => {
  it.each([
    [{ kind: 'rate_limited', retryAfterMs: 60_000, mayBeBilled: false }, 'semantic_provider_error'],
    [{ kind: 'unavailable', mayBeBilled: false }, 'semantic_provider_error'],
    [{ kind: 'misconfigured', status: 401, mayBeBilled: false }, 'semantic_provider_error'],
    [{ kind: 'misconfigured', status: 404, mayBeBilled: false }, 'semantic_provider_misconfigured'],
    [{ kind: 'misconfigured', mayBeBilled: false }, 'semantic_provider_misconfigured'],
  ] as const)('after %j is not called for queries either, which get keyword results: %s', async (failure, reason) => {
    const { accountId } = await suite.openAccount(TEXTS);
    const remembered = { query: 'physician', mode: 'hybrid' } as const;
    expect((await suite.ask(accountId, remembered)).effectiveMode).toBe('hybrid');
    await suite.tell(accountId, ['bicycle'], { sourceKind: 'session_summary' });
    await suite.failCall(accountId, failure);
    await suite.holdLonger(accountId);
    const asked = suite.provider.requests.length;
    const answer = await suite.ask(accountId, { query: QUERY, mode: 'hybrid' });
    expect(answer).toMatchObject({
      effectiveMode: 'keyword',
      degraded: { reasons: [reason, 'semantic_backfill_incomplete'] },
    });
    // A cached query vector can be used without the provider.
    expect((await suite.ask(accountId, remembered)).effectiveMode).toBe('hybrid');
    expect(suite.provider.requests.length).toBe(asked);
    // Saving the setting ends the pause.
    await suite.enable(accountId);
    expect((await suite.ask(accountId, { query: QUERY, mode: 'hybrid' })).effectiveMode).toBe('hybrid');
  });
});

describe('a provider that cannot be used', () => {
  it.each([
    ['without a price for its model', { embeddingPrices: {} }],
    [
      'whose key was sealed under a key that is gone',
      { embeddingKeys: createSecretBox('another-key-of-thirty-two-letters', KEY_PURPOSES.embedding) },
    ],
  ])('%s counts as misconfigured, and is not called', async (_what, deployment) => {
    const { accountId } = await suite.openAccount(TEXTS);
    const asked = suite.provider.requests.length;
    const { degraded } = await suite.askWith(deployment, accountId, { query: QUERY, mode: 'hybrid' });
    expect(degraded.reasons).toEqual(['semantic_provider_misconfigured']);
    expect(suite.provider.requests.length).toBe(asked);
  });

  it('with vectors of different dimensions counts as another model', async () => {
    const { accountId } = await suite.openAccount(TEXTS);
    suite.provider.answerAgain(8);
    const { degraded } = await suite.ask(accountId, { query: 'another width', mode: 'hybrid' });
    expect(degraded.reasons[0]).toBe('semantic_model_mismatch');
  });

  it.each([429, 500, 400])('that responds with %s counts as failed', async (status) => {
    const { accountId } = await suite.openAccount(TEXTS);
    suite.provider.answerWith(status);
    const { degraded } = await suite.ask(accountId, { query: QUERY, mode: 'semantic' });
    expect(degraded.reasons[0]).toBe('semantic_provider_error');
  });

  it('that is slow may take at most the time limit of queries (SRCH-38)', async () => {
    const { accountId, ids } = await suite.openAccount(TEXTS);
    const release = suite.provider.holdBack();
    const answer = await suite.askWith({ queryTimeoutMs: 300 }, accountId, { query: QUERY, mode: 'hybrid' });
    release();
    expect(answer.degraded.reasons[0]).toBe('semantic_provider_error');
    expect(idsOf(answer)[0]).toBe(ids[1]);
    expect(answer.elapsedMs).toBeGreaterThan(250);
  });
});

describe('a semantic search whose tables do not respond (SRCH-39)', () => {
  /**
   * The semantic half fails after part of the time limit; the keyword half completes in the remaining time, even on a
   * busy machine.
   */
  const TIME_MS = 12_000;

  it.each(['search.embedding_setting', 'search.vector_space', 'search.chunk_vector', 'search.embedding_work'])(
    '%s: is skipped, with a log line, and keyword results are returned within the time limit',
    async (table) => {
      const { accountId } = await suite.openAccount(TEXTS);
      suite.lines.length = 0;
      const client = await suite.admin.pool.connect();
      try {
        await client.query(`begin; lock table ${table} in access exclusive mode`);
        const answer = await suite.askWith({ timeoutMs: TIME_MS }, accountId, { query: QUERY, mode: 'hybrid' });
        expect(answer.results.length).toBeGreaterThan(1);
        if (table !== 'search.embedding_work') {
          expect(answer.effectiveMode).toBe('keyword');
          expect(answer.degraded.reasons[0]).toBe('semantic_provider_error');
        }
        expect(suite.lines).toContainEqual(
          expect.objectContaining({
            event: 'search.semantic_failed',
            fields: expect.objectContaining({ outcome: 'search_timeout' }) as unknown,
          }),
        );
        expect((await suite.askWith({ timeoutMs: TIME_MS }, accountId, { query: QUERY })).results).toHaveLength(1);
      } finally {
        await client.query('rollback');
        client.release();
      }
    },
  );
});
