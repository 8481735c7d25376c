import fc from 'fast-check';
import type { HintSink } from '@steward/contracts';
import { newId } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { WRITE_OPTIONS } from '../../testing/open-sessions.ts';
import { message, useSessions } from '../../testing/use-sessions.ts';
import { appendSessionContent } from './append-session-content.ts';
import { listSessionTimeline } from './list-session-timeline.ts';

const sessions = useSessions();

describe('importing a transcript (SESS-12)', () => {
  it('retains the order of a thousand messages with the same time, and imports none twice', async () => {
    const key = await sessions.openSession();
    const messages = Array.from({ length: 1000 }, (_, index) => message(`line ${index}`, `m${index}`));
    expect(await sessions.append(key, messages)).toMatchObject({ skipped: 0 });
    expect(await sessions.append(key, messages.slice(500))).toMatchObject({ stored: [], skipped: 500 });
    const pages: string[] = [];
    let after: { occurredAt: Date; id: string } | undefined;
    for (let hasMore = true; hasMore;) {
      const page = await listSessionTimeline(sessions.db(), { ...key, after, limit: 170 });
      pages.push(...page.items.map((item) => String(item.content)));
      after = page.items.at(-1);
      hasMore = page.hasMore;
    }
    expect(pages).toEqual(messages.map((_, index) => `line ${index}`));
  });

  it('runs two imports of the same messages in opposite order without a deadlock', async () => {
    const key = await sessions.openSession();
    const importOne = (trx: AnyTransaction, hints: HintSink, id: string) =>
      appendSessionContent(trx, hints, { ...key, now: new Date(), entries: [message(id, id)] }, WRITE_OPTIONS);
    let other: Promise<unknown> = Promise.resolve();
    await sessions.run(async (trx, hints) => {
      await importOne(trx, hints, 'a');
      other = sessions.run(async (second, sink) => {
        await importOne(second, sink, 'b');
        return importOne(second, sink, 'a');
      });
      await sessions.waitForBlocked();
      return importOne(trx, hints, 'b');
    });
    expect(await other).toMatchObject({ kind: 'stored', skipped: 1 });
    expect((await sessions.readTimeline(key)).map((item) => item.externalId)).toEqual(['a', 'b']);
  });

  it('stores the first of two messages with the same external id in one import', async () => {
    const key = await sessions.openSession();
    expect(await sessions.append(key, [message('one', 'x'), message('two', 'x'), message('three')])).toMatchObject({
      skipped: 1,
    });
    expect((await sessions.readTimeline(key)).map((item) => item.content)).toEqual(['one', 'three']);
  });

  it('counts stored and skipped messages, for any repetition of any ids', async () => {
    const accountId = newId();
    const id = fc.option(fc.constantFrom('a', 'b', 'c', 'A', '', ' a', '\u0000', 'é', 'e\u0301'));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(id, { maxLength: 6 }), { maxLength: 4 }), async (imports) => {
        const key = await sessions.openSession({ accountId });
        const known = new Set<string>();
        for (const ids of imports) {
          let stored = 0;
          for (const each of ids) {
            const storable = each?.replaceAll('\u0000', '\uFFFD');
            if (storable !== undefined && known.has(storable)) continue;
            if (storable !== undefined) known.add(storable);
            stored += 1;
          }
          const outcome = await sessions.append(
            key,
            ids.map((each) => message(`m ${each}`, each)),
          );
          expect(outcome).toMatchObject({ kind: 'stored', skipped: ids.length - stored });
          expect((outcome as { stored: readonly unknown[] }).stored).toHaveLength(stored);
        }
      }),
      { numRuns: 15 },
    );
  });

  it('stores each message once under simultaneous imports, with its chunk', async () => {
    const key = await sessions.openSession();
    const messages = Array.from({ length: 30 }, (_, index) => message(`line ${index}`, `m${index}`));
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        sessions.append(key, index % 2 === 0 ? messages : [...messages].reverse()),
      ),
    );
    expect(outcomes.reduce((sum, outcome) => sum + (outcome.kind === 'stored' ? outcome.skipped : 0), 0)).toBe(150);
    const shown = await sessions.readTimeline(key);
    expect(shown.map((row) => row.externalId).sort()).toEqual(messages.map((_, index) => `m${index}`).sort());
    expect((await sessions.readChunks(key)).map((chunk) => chunk.source_id).sort()).toEqual(
      shown.map((row) => row.id).sort(),
    );
  });

  it('recognizes an id only in its own session', async () => {
    const one = await sessions.openSession();
    const other = await sessions.openSession({ accountId: one.accountId });
    for (const key of [one, other])
      expect(await sessions.append(key, [message('x', 'same')])).toMatchObject({ skipped: 0 });
  });

  it('retains the first version: a message sent again with different text changes nothing', async () => {
    const key = await sessions.openSession();
    await sessions.append(key, [message('first', 'm')]);
    await sessions.append(key, [message('second', 'm')]);
    expect((await sessions.readTimeline(key)).map((row) => row.content)).toEqual(['first']);
    expect((await sessions.readChunks(key)).map((chunk) => chunk.content)).toEqual(['first']);
  });

  it('stores messages without an id each time', async () => {
    const key = await sessions.openSession();
    for (const id of [undefined, null, undefined]) await sessions.append(key, [message('again', id)]);
    expect(await sessions.readTimeline(key)).toHaveLength(3);
  });

  it('records no activity without new entries: a repeated import does not keep a session open', async () => {
    const key = await sessions.openSession();
    await sessions.append(key, [message('once', 'm')]);
    const before = await sessions.read(key);
    const later = new Date(Date.now() + 3_600_000);
    expect(await sessions.append(key, [message('once', 'm')], WRITE_OPTIONS, later)).toMatchObject({ skipped: 1 });
    expect(await sessions.read(key)).toEqual(before);
  });

  it('can be repeated after its transaction failed', async () => {
    const key = await sessions.openSession();
    const failing = sessions.run(async (trx, hints) => {
      await appendSessionContent(trx, hints, { ...key, entries: [message('x', 'm')], now: new Date() }, WRITE_OPTIONS);
      throw new Error('fault before the answer');
    });
    await expect(failing).rejects.toThrow('fault before the answer');
    expect(await sessions.append(key, [message('x', 'm')])).toMatchObject({ skipped: 0 });
  });
});
