import { newId } from '@steward/crypto';
import { useOpened } from '@steward/testing';
import { idsOf, NO_PROVIDER } from '../../testing/open-answers.ts';
import { openSemantic } from '../../testing/open-semantic.ts';
import { makeSegment, moveVectors } from '../../vectors/store/upkeep.store.ts';
import { listSpaces } from '../../vectors/store/vector-space.store.ts';

/** Number of sessions that each half reads. */
const DEPTH = 3;
/**
 * Numbers of excluded chunks: one scan returns twice the depth, and twelve scans run before all vectors are compared.
 */
const [WITHIN_THE_NEXT_SCANS, BEYOND_THEM] = [8, 80];
const TEXTS = ['vehicle kiwi', 'vehicle plum', 'vehicle pear'];

describe.each(['the shared table', 'a table of its own'])('an exclusion of a query, in %s (SRCH-33)', (kept) => {
  const suite = useOpened(() => openSemantic({ fusion: { ...NO_PROVIDER.fusion, depth: DEPTH } }));

  async function openAccount(excluded: number): Promise<{ accountId: string; others: string[] }> {
    const accountId = newId();
    await suite().enable(accountId);
    // These are more similar to the query than all others, and each is in a separate session.
    for (let index = 0; index < excluded; index += 1) await suite().tell(accountId, ['car car car snow']);
    const others = [];
    for (const text of TEXTS) others.push(await suite().tell(accountId, [text]));
    await suite().embedAll(accountId);
    if (kept === 'a table of its own') await moveToSegment(accountId);
    return { accountId, others };
  }

  async function moveToSegment(accountId: string): Promise<void> {
    const [made] = await listSpaces(suite().admin.db, accountId);
    await makeSegment(suite().admin.db, String(made?.id));
    const [space] = await listSpaces(suite().admin.db, accountId);
    await moveVectors(suite().admin.db, { id: String(space?.id), segment: String(space?.segment), limit: 1000 });
    expect(await suite().query('select from search.chunk_vector where space_id = $1', [space?.id])).toEqual([]);
  }

  it.each([WITHIN_THE_NEXT_SCANS, BEYOND_THEM])(
    'does not hide other sessions if the excluded session has the %i nearest chunks',
    async (excluded) => {
      const { accountId, others } = await openAccount(excluded);
      for (const mode of ['semantic', 'hybrid'] as const) {
        const answer = await suite().ask(accountId, { query: 'car -snow', mode });
        expect(answer.effectiveMode).toBe(mode);
        expect(idsOf(answer).sort()).toEqual(others.toSorted());
      }
    },
  );

  it('has no effect without vectors: the response is empty if everything is excluded', async () => {
    const { accountId } = await openAccount(BEYOND_THEM);
    const answer = await suite().ask(accountId, { query: 'car -snow -kiwi -plum -pear', mode: 'semantic' });
    expect([answer.effectiveMode, idsOf(answer), answer.totalIsExact]).toEqual(['semantic', [], true]);
  });
});
