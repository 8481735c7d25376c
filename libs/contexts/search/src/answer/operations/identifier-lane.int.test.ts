import { newId } from '@steward/crypto';
import { useOpened } from '@steward/testing';
import { at, idsOf, openAnswers } from '../../testing/open-answers.ts';

const suite = useOpened(openAnswers);
describe('a query that is an identifier', () => {
  it('finds its session first, with at least the best score, and not a second time (SRCH-9, SRCH-12)', async () => {
    const accountId = newId();
    const named = await suite().tell(accountId, ['PR-77 is mentioned here, too'], { sessionReference: 'PR-77' });
    const others = [
      await suite().tell(accountId, ['PR-77 PR-77 PR-77']),
      await suite().tell(accountId, ['about PR-77, in short']),
    ];
    const answer = await suite().ask(accountId, { query: 'PR-77' });
    expect(idsOf(answer)[0]).toBe(named);
    expect(idsOf(answer).slice(1).sort()).toEqual(others.sort());
    expect(answer.results.map(({ matchReason }) => matchReason)).toEqual(['identifier', 'keyword', 'keyword']);
    const scores = answer.results.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(answer).toMatchObject({ total: 3, totalIsExact: true });
  });

  it('finds a session that does not contain it, and reports it (SRCH-9)', async () => {
    const accountId = newId();
    const id = await suite().tell(accountId, ['nothing of it'], { sessionReference: 'build-12' });
    const answer = await suite().ask(accountId, { query: 'build-12' });
    expect(answer).toMatchObject({ total: 1, totalIsExact: true, nextCursor: null });
    expect(answer.results).toMatchObject([{ session: { id }, match: undefined, snippets: [] }]);
  });

  it('shows the matching words of the named session, even if it ranks low by keywords (SRCH-9)', async () => {
    const accountId = newId();
    const named = await suite().tell(accountId, ['once: ticket among a great many other words'], {
      sessionReference: 'ticket',
      occurredAt: at(1),
    });
    for (let index = 0; index < 6; index += 1) await suite().tell(accountId, ['ticket ticket ticket ticket']);
    const answer = await suite().ask(accountId, { query: 'ticket', limit: 2 });
    expect(answer.results[0]).toMatchObject({ session: { id: named }, match: { matchedChunkCount: 1 } });
    expect(answer.results[0]?.snippets[0]?.html).toContain('<mark>ticket</mark>');
    expect(answer.total).toBe(7);
  });

  it.each([1, 2, 3, 5])('shows each session once in pages of %s (SRCH-12, SRCH-20)', async (limit) => {
    const accountId = newId();
    const named: string[] = [];
    for (let day = 1; day <= 3; day += 1)
      named.push(await suite().tell(accountId, day === 2 ? ['run-9'] : ['other words'], { sessionReference: 'run-9' }));
    const ranked: string[] = [];
    for (let day = 1; day <= 4; day += 1)
      ranked.unshift(await suite().tell(accountId, ['run-9'], { occurredAt: at(day) }));
    const seen: string[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await suite().ask(accountId, { query: 'run-9', limit, ...(cursor === undefined ? {} : { cursor }) });
      expect(page.results.length).toBeLessThanOrEqual(limit);
      expect(page.total).toBe(7);
      seen.push(...idsOf(page));
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    expect(seen.slice(0, 3).sort()).toEqual([...named].sort());
    expect(seen.slice(3)).toEqual(ranked);
    const byOffset: string[] = [];
    for (let offset = 0; offset < 7; offset += limit)
      byOffset.push(...idsOf(await suite().ask(accountId, { query: 'run-9', limit, offset })));
    expect(byOffset).toEqual(seen);
  });

  it('names at most five sessions (SRCH-10)', async () => {
    const accountId = newId();
    for (let index = 0; index < 8; index += 1) suite().addSession(accountId, { sessionReference: 'shared' });
    const answer = await suite().ask(accountId, { query: 'shared' });
    expect(answer.results).toHaveLength(5);
  });

  it('names the sessions with content stored by an API key, at most 50, and reports it (SRCH-10)', async () => {
    const accountId = newId();
    const apiKeyId = newId();
    for (let index = 0; index < 52; index += 1) {
      const id = suite().addSession(accountId);
      await suite().write(accountId, 'words', { apiKeyId, runtimeSessionId: id });
    }
    const answer = await suite().ask(accountId, { query: apiKeyId, limit: 50 });
    expect(answer.results).toHaveLength(50);
    expect(answer.totalIsExact).toBe(false);
    expect(await suite().ask(newId(), { query: apiKeyId })).toMatchObject({ total: 0, results: [] });
  });

  it('matches the filter on its key, including in sessions opened by another key (SRCH-11)', async () => {
    const accountId = newId();
    const [opener, writer] = [newId(), newId()];
    const id = suite().addSession(accountId, { apiKeyId: opener });
    await suite().write(accountId, 'words', { apiKeyId: writer, runtimeSessionId: id });
    expect(idsOf(await suite().ask(accountId, { query: writer, filter: { apiKeyId: writer } }))).toEqual([id]);
    expect(idsOf(await suite().ask(accountId, { query: opener, filter: { apiKeyId: opener } }))).toEqual([id]);
    expect(idsOf(await suite().ask(accountId, { query: opener, filter: { apiKeyId: writer } }))).toEqual([]);
  });

  it('matches the range in which its session was active (SRCH-11)', async () => {
    const accountId = newId();
    const id = suite().addSession(accountId, { sessionReference: 'r', startedAt: at(5), lastActivityAt: at(7) });
    const find = async (filter: object) => idsOf(await suite().ask(accountId, { query: 'r', filter }));
    expect(await find({ startDate: at(7), endDate: at(8) })).toEqual([id]);
    expect(await find({ startDate: at(8) })).toEqual([]);
    expect(await find({ endDate: at(5) })).toEqual([]);
  });

  it.each(['sourceKind', 'modelAlias', 'providerName', 'role'] as const)(
    'finds no session by name with a filter on %s (SRCH-11)',
    async (key) => {
      const accountId = newId();
      const id = suite().addSession(accountId);
      const value = key === 'sourceKind' ? 'tool_call' : 'x';
      expect((await suite().ask(accountId, { query: id, filter: { [key]: value } })).results).toEqual([]);
      expect(idsOf(await suite().ask(accountId, { query: id }))).toEqual([id]);
    },
  );

  it('finds nothing in another account (SRCH-8, API-10)', async () => {
    const id = suite().addSession(newId(), { sessionReference: 'theirs' });
    for (const query of [id, 'theirs', `source-${id}`])
      expect(await suite().ask(newId(), { query })).toMatchObject({ total: 0, totalIsExact: true, results: [] });
  });
});
