import fc from 'fast-check';
import { newId } from '@steward/crypto';
import { WRITE_OPTIONS } from '../../testing/open-sessions.ts';
import { interaction, logLine, message, useSessions, type Key } from '../../testing/use-sessions.ts';
import { SESSION_CONTENT_KINDS } from '@steward/contracts';
import type { SessionContent } from '../session-content.ts';
import { listSessionTimeline, listTimelineAround, TIMELINE_PAGE_BYTES } from './list-session-timeline.ts';

const sessions = useSessions();

/** Returns all pages of the given size, in order. */
async function readPages(
  key: Key,
  limit: number,
  kind?: SessionContent['kind'],
  order?: 'desc',
): Promise<SessionContent[]> {
  const items: SessionContent[] = [];
  for (;;) {
    const page = await listSessionTimeline(sessions.db(), { ...key, after: items.at(-1), limit, kind, order });
    items.push(...page.items);
    expect(page.items.length).toBeLessThanOrEqual(limit);
    if (!page.hasMore) return items;
  }
}

describe('the timeline (SESS-14, LIM-27)', () => {
  it('limits a page by the size of the bodies, and the next page continues from there', async () => {
    const key = await sessions.openSession();
    const large = 'y'.repeat(TIMELINE_PAGE_BYTES / 2 - 100);
    for (const text of ['1', '2', '3'])
      await sessions.append(key, [message(text + large)], { ...WRITE_OPTIONS, indexEnabled: false });
    const first = await listSessionTimeline(sessions.db(), { ...key, limit: 200 });
    expect(first.items.map((item) => String(item.content)[0])).toEqual(['1', '2']);
    expect(first.hasMore).toBe(true);
    const next = await listSessionTimeline(sessions.db(), { ...key, after: first.items.at(-1), limit: 200 });
    expect(next.items.map((item) => String(item.content)[0])).toEqual(['3']);
    expect(next.hasMore).toBe(false);
  });

  it('shows at least one item, however large it is', async () => {
    const key = await sessions.openSession();
    const quiet = { ...WRITE_OPTIONS, indexEnabled: false };
    await sessions.append(key, [message('z'.repeat(TIMELINE_PAGE_BYTES + 1)), message('small')], quiet);
    const first = await listSessionTimeline(sessions.db(), { ...key, limit: 200 });
    expect([first.items.length, first.hasMore]).toEqual([1, true]);
    expect((await readPages(key, 200)).map((item) => String(item.content).length)).toEqual([
      TIMELINE_PAGE_BYTES + 1,
      5,
    ]);
  });

  it('is ordered by time, then by arrival, each item once, for every page size', async () => {
    const minute = fc.integer({ min: 0, max: 3 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(minute, { maxLength: 5 }), { maxLength: 4 }),
        fc.integer({ min: 1, max: 7 }),
        async (requests, limit) => {
          const key = await sessions.openSession();
          const came: { text: string; minute: number }[] = [];
          for (const minutes of requests) {
            const entries = minutes.map((each) => ({ text: `line ${came.length}-${each}`, minute: each }));
            entries.forEach((entry, index) => (entry.text += ` ${index}`));
            came.push(...entries);
            await sessions.append(
              key,
              entries.map((entry) => logLine(entry.text, new Date(Date.UTC(2026, 0, 1, 0, entry.minute)))),
              { ...WRITE_OPTIONS, indexEnabled: false },
            );
          }
          const expected = [...came].sort((left, right) => left.minute - right.minute).map(({ text }) => text);
          expect((await readPages(key, limit)).map((item) => item.content)).toEqual(expected);
        },
      ),
      { numRuns: 15 },
    );
  });

  it('is the same in reverse order, and continues in either order from the end of a page', async () => {
    const key = await sessions.openSession();
    for (let round = 0; round < 7; round += 1) await sessions.append(key, [message(`m${round}`)]);
    const forwards = (await readPages(key, 3)).map((item) => item.id);
    expect((await readPages(key, 3, undefined, 'desc')).map((item) => item.id)).toEqual(forwards.toReversed());
    const page = await listSessionTimeline(sessions.db(), { ...key, limit: 4 });
    const back = await listSessionTimeline(sessions.db(), {
      ...key,
      after: page.items.at(-1),
      order: 'desc',
      limit: 9,
    });
    expect(back.items.map((item) => item.id)).toEqual(forwards.slice(0, 3).reverse());
  });

  it('shows only one kind on request, page by page', async () => {
    const key = await sessions.openSession();
    for (let round = 0; round < 4; round += 1)
      await sessions.append(key, [message(`m${round}`), interaction('p', 'r'), logLine(`l${round}`)]);
    expect((await readPages(key, 2, 'flow_log')).map((item) => item.content)).toEqual(['l0', 'l1', 'l2', 'l3']);
    expect((await readPages(key, 3, 'transcript_message')).map((item) => item.content)).toEqual([
      'm0',
      'm1',
      'm2',
      'm3',
    ]);
    expect(await readPages(key, 3, 'operator_note')).toEqual([]);
    const counts = await Promise.all(
      SESSION_CONTENT_KINDS.map(async (kind) => (await readPages(key, 200, kind)).length),
    );
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(12);
  });

  it('continues from its position while entries are added before and after it', async () => {
    const key = await sessions.openSession();
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
    await sessions.append(
      key,
      [10, 20, 30].map((minute) => logLine(`at ${minute}`, at(minute))),
    );
    const first = await listSessionTimeline(sessions.db(), { ...key, limit: 2 });
    await sessions.append(
      key,
      [5, 25, 40].map((minute) => logLine(`at ${minute}`, at(minute))),
    );
    const rest = await listSessionTimeline(sessions.db(), { ...key, after: first.items.at(-1), limit: 200 });
    expect(rest.items.map((item) => item.content)).toEqual(['at 25', 'at 30', 'at 40']);
  });

  it('shows nothing of another account or session, from any position (API-10)', async () => {
    const key = await sessions.openSession();
    await sessions.append(key, [message('mine')]);
    const other = await sessions.openSession({ accountId: key.accountId });
    const [mine] = await sessions.readTimeline(key);
    const after = { occurredAt: new Date(0), id: mine!.id };
    for (const foreign of [{ ...key, accountId: newId() }, { ...key, sessionId: newId() }, other])
      expect(await listSessionTimeline(sessions.db(), { ...foreign, after, limit: 10 })).toEqual({
        items: [],
        hasMore: false,
      });
  });
});

describe('the timeline around one of its entries (SESS-35)', () => {
  const openWith = async (entries: Parameters<typeof sessions.append>[1]) => {
    const key = await sessions.openSession();
    await sessions.append(key, entries, { ...WRITE_OPTIONS, indexEnabled: false });
    return { key, ids: (await sessions.readTimeline(key)).map(({ id }) => id) };
  };

  it('contains it on every page, with its neighbors in the requested order', async () => {
    const { key, ids } = await openWith(Array.from({ length: 9 }, (_, index) => message(`m${index}`)));
    for (const order of ['asc', 'desc'] as const) {
      const ordered = order === 'asc' ? ids : ids.toReversed();
      for (const [place, contentId] of ordered.entries())
        for (const limit of [1, 2, 5, 9, 20]) {
          const page = await listTimelineAround(sessions.db(), { ...key, contentId, order, limit });
          const shown = page!.items.map(({ id }) => id);
          const begin = ordered.indexOf(shown[0]!);
          expect(shown).toEqual(ordered.slice(begin, begin + shown.length));
          expect(shown).toContain(contentId);
          expect(shown.length).toBeLessThanOrEqual(limit);
          // The page is full, unless it is at one end of the timeline.
          if (shown.length < limit) expect(begin === 0 || begin + shown.length === 9).toBe(true);
          if (limit === 5 && place >= 2 && place <= 6) expect(begin).toBe(place - 2);
          expect([page!.hasFormer, page!.hasMore]).toEqual([begin > 0, begin + shown.length < 9]);
        }
    }
  });

  it('contains it even if bodies fill the page, and is limited to one page', async () => {
    const third = 'x'.repeat(TIMELINE_PAGE_BYTES / 3);
    const { key, ids } = await openWith([message(`a${third}`), message(`b${third}`), message(`c${third}`)]);
    for (const contentId of ids) {
      const page = await listTimelineAround(sessions.db(), { ...key, contentId, limit: 200 });
      expect(page!.items.map(({ id }) => id)).toContain(contentId);
      expect(page!.items.length).toBe(2 - Number(contentId === ids[0]));
    }
  });

  it('starts at the position of an entry of another kind, and does not exist if the session does not contain the entry', async () => {
    const { key, ids } = await openWith([logLine('before'), message('here'), logLine('behind')]);
    const page = await listTimelineAround(sessions.db(), { ...key, contentId: ids[1]!, kind: 'flow_log', limit: 2 });
    expect(page).toMatchObject({
      items: [{ content: 'before' }, { content: 'behind' }],
      hasMore: false,
      hasFormer: false,
    });
    const other = await sessions.openSession({ accountId: key.accountId });
    for (const foreign of [{ ...key, accountId: newId() }, other, { ...key, contentId: newId() }])
      expect(await listTimelineAround(sessions.db(), { contentId: ids[1]!, ...foreign, limit: 2 })).toBeUndefined();
  });
});
