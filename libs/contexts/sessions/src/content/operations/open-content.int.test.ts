import fc from 'fast-check';
import { StoreError } from '@steward/storage';
import { scaleLimit } from '@steward/testing';
import type { ContentObjects } from '../../objects/content-objects.ts';
import { long, useContentStore } from '../../testing/use-content-store.ts';
import { interaction, logLine, message, useSessions, type Key } from '../../testing/use-sessions.ts';
import type { SessionContentEntry } from '../rules/content-kinds.ts';
import { listLastContent } from './list-last-content.ts';
import { listSessionChunkSources, readStoredSources } from './list-chunk-sources.ts';
import { listSessionTimeline, listTimelineAround } from './list-session-timeline.ts';
import { listToolCalls } from './list-tool-calls.ts';

const sessions = useSessions();
const store = useContentStore(sessions);
const LONG_TEST_MS = scaleLimit(240_000);

const call = (value: unknown): SessionContentEntry => ({
  ...{ kind: 'tool_call', toolName: 'bash', arguments: { value }, result: value },
});
const timeline = async (key: Key, objects: ContentObjects | undefined) =>
  (await listSessionTimeline(sessions.db(), { ...key, limit: 200 }, objects)).items;

/** Returns what each reader of content returns about a session, as JSON text. */
async function readEverywhere(key: Key, objects: ContentObjects | undefined): Promise<Record<string, string>> {
  const db = sessions.db();
  const session = (await sessions.read(key))!;
  const items = await timeline(key, objects);
  const ids = items.map(({ id }) => id);
  const range = { accountId: key.accountId, since: new Date(0), until: new Date('2100-01-01'), before: undefined };
  const sources = await readStoredSources(db, [session], ids, objects);
  return {
    timeline: JSON.stringify(items),
    backwards: JSON.stringify(await listSessionTimeline(db, { ...key, order: 'desc', limit: 200 }, objects)),
    around: JSON.stringify(await listTimelineAround(db, { ...key, contentId: ids[1]!, limit: 3 }, objects)),
    sources: JSON.stringify(await listSessionChunkSources(db, session, { limit: 200 }, objects)),
    backfill: JSON.stringify(sources.map(({ id, render }) => [id, render()])),
    last: JSON.stringify(await listLastContent(db, { ...key, limit: 10, maxLength: 4000 }, objects)),
    toolCalls: JSON.stringify(await listToolCalls(db, { ...range, limit: 50 }, objects)),
  };
}

describe('content whose body was moved to the object store (PROC-25)', () => {
  it(
    'is the same for every reader, byte by byte (LIM-114)',
    async () => {
      const body = fc.record({ text: fc.string({ unit: 'grapheme', minLength: 1 }), more: fc.json() });
      await fc.assert(
        fc.asyncProperty(fc.array(body, { minLength: 1, maxLength: 3 }), async (bodies) => {
          const key = await sessions.openSession();
          const values = bodies.map(({ text, more }) => ({ text: long(text), more: JSON.parse(more) as unknown }));
          await sessions.append(key, [
            message('small'),
            ...values.map((value) => message(value)),
            ...values.map((value) => interaction(value, [value])),
            ...values.map((value) => call(value)),
            logLine(long('a long line of a log ')),
          ]);
          await sessions.end(key);
          const before = await readEverywhere(key, undefined);
          await store.move();
          expect(await store.countMoved(key)).toBe(3 * values.length);
          expect(await readEverywhere(key, store.open())).toEqual(before);
        }),
        { numRuns: 8 },
      );
    },
    LONG_TEST_MS,
  );

  it('is compressed and sealed in the store, and has the size of its body on a page (LIM-27)', async () => {
    const key = await sessions.openSession();
    await sessions.append(
      key,
      Array.from({ length: 3 }, () => message(long('a secret plan ', 4_000_000))),
    );
    await store.move();
    const first = await listSessionTimeline(sessions.db(), { ...key, limit: 200 }, store.open());
    expect([first.items.length, first.hasMore]).toEqual([2, true]);
    const objects = await sessions.query<{ key: string; bytes: number }>(
      `select content_object as key, content_object_bytes as bytes from gateway.session_content
       where runtime_session_id = $1`,
      [key.sessionId],
    );
    for (const object of objects) {
      expect(object.bytes).toBeLessThan(100_000);
      const stored = (await store.bucket().open(object.key))!;
      let bytes = Buffer.alloc(0);
      for await (const part of stored.stream) bytes = Buffer.concat([bytes, part as Buffer]);
      expect([bytes.length, bytes.includes('secret plan')]).toEqual([object.bytes, false]);
    }
  });

  it('is unavailable without a store, and states this instead of an empty body', async () => {
    const key = await sessions.openSession();
    await sessions.append(key, [message('small'), call(long('x'))]);
    await store.move();
    for (const objects of [
      undefined,
      store.open({ open: () => Promise.reject(new StoreError('unreachable', 'gone')) }),
    ])
      expect(await timeline(key, objects)).toMatchObject([
        { content: 'small', contentError: null },
        { content: null, contentError: 'unavailable', contentCaptured: true },
      ]);
    const waitForever = (_key: string, signal?: AbortSignal) =>
      new Promise<never>((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new StoreError('unreachable', 'nothing received')));
      });
    expect(await timeline(key, store.open({ open: waitForever }, { openMs: 20 }))).toMatchObject([
      { contentError: null },
      { contentError: 'unavailable' },
    ]);
    const session = (await sessions.read(key))!;
    await expect(listSessionChunkSources(sessions.db(), session, { limit: 10 })).rejects.toThrow(/Try again later/);
    await expect(listLastContent(sessions.db(), { ...key, limit: 5, maxLength: 10 })).rejects.toThrow(
      /Try again later/,
    );
  });

  it('is lost if its object is missing, or has other bytes, and never returned as content', async () => {
    const key = await sessions.openSession();
    const names = ['missing', 'cut', 'changed', 'swapped', 'sound'];
    await sessions.append(
      key,
      names.map((name) => message(long(name), name)),
    );
    await store.move();
    const rows = await sessions.query<{ name: string; key: string }>(
      `select external_id as name, content_object as key from gateway.session_content where runtime_session_id = $1`,
      [key.sessionId],
    );
    const keyOf = (name: string): string => rows.find((row) => row.name === name)!.key;
    const bucket = store.bucket();
    const readObject = async (name: string): Promise<Buffer> => {
      const parts: Buffer[] = [];
      for await (const part of (await bucket.open(keyOf(name)))!.stream) parts.push(part as Buffer);
      return Buffer.concat(parts);
    };
    const changed = await readObject('changed');
    changed[40]! ^= 1;
    await bucket.remove([keyOf('missing')]);
    await bucket.putBytes({ key: keyOf('cut'), bytes: (await readObject('cut')).subarray(0, -1) });
    await bucket.putBytes({ key: keyOf('changed'), bytes: changed });
    await bucket.putBytes({ key: keyOf('swapped'), bytes: await readObject('sound') });
    const items = await timeline(key, store.open());
    expect(items.map(({ externalId, content, contentError }) => [externalId, content === null, contentError])).toEqual([
      ...['missing', 'cut', 'changed', 'swapped'].map((name) => [name, true, 'lost']),
      ['sound', false, null],
    ]);
    const session = (await sessions.read(key))!;
    const { sources } = await listSessionChunkSources(sessions.db(), session, { limit: 10 }, store.open());
    expect(sources.map(({ text }) => text)).toEqual([long('sound')]);
    expect(await listLastContent(sessions.db(), { ...key, limit: 5, maxLength: 6 }, store.open())).toHaveLength(1);
  });

  it('is only content above the size, of the kinds that can be large, and old enough (LIM-113)', async () => {
    const key = await sessions.openSession();
    await sessions.append(key, [message(long('x', 30_000)), message(long('y', 18_000)), logLine(long('z', 40_000))]);
    expect(await store.move(store.open(), { minAgeSeconds: 3600 })).toEqual([]);
    await store.move(store.open(), { largerThan: 20_000 });
    expect((await sessions.readTimeline(key)).map(({ contentError }) => contentError)).toEqual([
      'unavailable',
      null,
      null,
    ]);
    await store.move();
  });
});
