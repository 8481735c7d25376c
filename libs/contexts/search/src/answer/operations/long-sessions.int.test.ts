import { newId } from '@steward/crypto';
import { idsOf } from '../../testing/open-answers.ts';
import { openSemantic, type OpenSemantic } from '../../testing/open-semantic.ts';
import { readPages } from '../../testing/read-pages.ts';
import { answerSimilar } from './answer-similar.ts';

/** Number of chunks of a long session, which is more than one nearest-neighbor scan returns. */
const LONG = 220;

describe('a long session close to the query (SRCH-37)', () => {
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
    others = await tellAll(accountId, ['vehicle kiwi', 'vehicle plum', 'vehicle pear']);
    await suite.embedAll(accountId);
  });
  afterAll(() => suite.close());

  /** Adds a session for each text. */
  async function tellAll(account: string, texts: readonly string[]): Promise<string[]> {
    const ids: string[] = [];
    for (const text of texts) ids.push(await suite.tell(account, [text]));
    return ids;
  }

  it.each(['semantic', 'hybrid'] as const)('does not hide the other sessions from a %s search', async (mode) => {
    // No session contains this word, so all results come from the vectors.
    const answer = await suite.ask(accountId, { query: 'car', mode });
    expect(answer.effectiveMode).toBe(mode);
    expect(idsOf(answer).sort()).toEqual([own, long, ...others].sort());
    expect(answer).toMatchObject({ total: 5, totalIsExact: true });
  });

  it.each(['semantic', 'hybrid'] as const)(
    'does not hide the other sessions from the pages of a %s search',
    async (mode) => {
      const many = newId();
      await suite.enable(many);
      const before = await tellAll(
        many,
        Array.from({ length: 9 }, () => 'car'),
      );
      const between = await suite.tell(
        many,
        Array.from({ length: LONG }, () => 'car rain'),
      );
      const behind = await tellAll(many, ['vehicle kiwi plum', 'vehicle fog hail', 'vehicle pear fig']);
      await suite.embedAll(many);
      const pages = await readPages((asked) => suite.ask(many, asked), { query: 'car', mode, limit: 1 });
      expect(pages.flatMap(idsOf).sort()).toEqual([...before, between, ...behind].sort());
      expect(pages[0]).toMatchObject({ totalIsExact: false });
    },
  );

  it('does not hide other similar sessions', async () => {
    const { signal } = new AbortController();
    const asked = { accountId, sessionId: own, limit: 10, since: undefined };
    const { items } = await answerSimilar(suite.ports, asked, signal);
    expect(items.map(({ session }) => session.id).sort()).toEqual([long, ...others].sort());
  });
});
