import { newId } from '@steward/crypto';
import { idsOf } from '../../testing/open-answers.ts';
import { openSemantic, type OpenSemantic } from '../../testing/open-semantic.ts';
import { answerSimilar } from './answer-similar.ts';

/** More than a scan for the nearest looks at. */
const LONG = 220;

describe('a long session near the query (SRCH-37)', () => {
  let suite: OpenSemantic;
  let accountId: string;
  let own: string;
  let long: string;
  let others: string[];
  beforeAll(async () => {
    suite = await openSemantic();
    accountId = newId();
    await suite.enable(accountId);
    own = await suite.tell(accountId, ['automobile']);
    long = await suite.tell(
      accountId,
      Array.from({ length: LONG }, () => 'vehicle'),
    );
    others = [];
    for (const text of ['vehicle kiwi', 'vehicle plum', 'vehicle pear']) {
      others.push(await suite.tell(accountId, [text]));
    }
    await suite.embedAll(accountId);
  }, 60_000);
  afterAll(() => suite.close());

  it.each(['semantic', 'hybrid'] as const)('hides none of the others from a %s search', async (mode) => {
    // No session has this word: what is found, meaning found.
    const answer = await suite.ask(accountId, { query: 'car', mode });
    expect(answer.effectiveMode).toBe(mode);
    expect(idsOf(answer).sort()).toEqual([own, long, ...others].sort());
    expect(answer).toMatchObject({ total: 5, totalIsExact: true });
  });

  it('hides none of the others from what is similar', async () => {
    const { signal } = new AbortController();
    const asked = { accountId, sessionId: own, limit: 10, since: undefined };
    const { items } = await answerSimilar(suite.ports, asked, signal);
    expect(items.map(({ session }) => session.id).sort()).toEqual([long, ...others].sort());
  });
});
