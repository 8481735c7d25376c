import fc from 'fast-check';
import { newId } from '@steward/crypto';
import { StoreError } from '@steward/storage';
import { purgeDeletedSession } from '../../deletion/operations/purge-deleted-session.ts';
import { deleteRuntimeSession } from '../../deletion/operations/delete-runtime-session.ts';
import { listLastContent } from '../../content/operations/list-last-content.ts';
import { listSessionTimeline, listTimelineAround } from '../../content/operations/list-session-timeline.ts';
import { listSessionChunkSources, readStoredSources } from '../../content/operations/list-chunk-sources.ts';
import { listToolCalls } from '../../content/operations/list-tool-calls.ts';
import { useContentStore } from '../../testing/use-content-store.ts';
import { interaction, logLine, message, useSessions, type Key } from '../../testing/use-sessions.ts';
import type { SessionContentEntry } from '../../content/rules/content-kinds.ts';
import type { ContentObjects } from '../content-objects.ts';
import type { MoveOutcome } from './move-content.ts';

const sessions = useSessions();
const store = useContentStore(sessions);
const LONG_TEST_MS = 240_000;

/** Text that does not compress to less than the limit of a moved body. */
const long = (seed: string, bytes = 20_000): string => seed.repeat(Math.ceil(bytes / seed.length)).slice(0, bytes);
const call = (value: unknown): SessionContentEntry => ({
  ...{ kind: 'tool_call', toolName: 'bash', arguments: { value }, result: value },
});
const kinds = (outcomes: readonly MoveOutcome[]) => outcomes.map(({ kind }) => kind);
const timeline = async (key: Key, objects: ContentObjects | undefined) =>
  (await listSessionTimeline(sessions.db(), { ...key, limit: 200 }, objects)).items;
const countMoved = async ({ sessionId }: Key): Promise<number> =>
  (
    await sessions.query(
      'select from gateway.session_content where runtime_session_id = $1 and content is null and content_object is not null',
      [sessionId],
    )
  ).length;

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
          const before = await readEverywhere(key, undefined);
          await store.move();
          expect(await countMoved(key)).toBe(3 * values.length);
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

describe('moving content (PROC-25)', () => {
  it(
    'is done once for each body, by any number of processes at the same time',
    async () => {
      const key = await sessions.openSession();
      const bodies = Array.from({ length: 90 }, (_, index) => message(long(`body ${index} `)));
      await sessions.append(key, bodies);
      const outcomes = (await Promise.all([store.move(), store.move(), store.move()])).flat();
      expect(kinds(outcomes)).toEqual(Array.from({ length: 90 }, () => 'moved'));
      expect(await countMoved(key)).toBe(90);
      const named = await store.listNamed();
      expect(
        store
          .listKeys()
          .filter((name) => name.includes(key.sessionId))
          .sort(),
      ).toEqual(named.filter((name) => name.includes(key.sessionId)));
      expect(await sessions.query('select from gateway.content_claim')).toEqual([]);
    },
    LONG_TEST_MS,
  );

  it('keeps the body until the object can be read back as it was stored', async () => {
    const key = await sessions.openSession();
    await sessions.append(key, [message(long('kept'))]);
    const broken = store.open({
      putBytes: (request) => store.bucket().putBytes({ ...request, bytes: request.bytes.subarray(1) }),
    });
    expect(kinds(await store.move(broken))).toEqual(['failed']);
    expect([await countMoved(key), (await sessions.readTimeline(key))[0]?.content]).toEqual([0, long('kept')]);
    expect(store.listKeys().filter((name) => name.includes(key.sessionId))).toEqual([]);
    // The claim of a body that cannot be moved delays the next attempt, so that others are moved.
    expect(await store.move()).toEqual([]);
    await store.endClaims();
    expect(kinds(await store.move())).toEqual(['moved']);
  });

  it('stops if the store is unavailable, and continues when it responds again', async () => {
    const key = await sessions.openSession();
    await sessions.append(key, [message(long('one')), message(long('two'))]);
    store.server().setDown(true);
    try {
      await expect(store.move()).rejects.toThrow(StoreError);
    } finally {
      store.server().setDown(false);
    }
    expect(await countMoved(key)).toBe(0);
    expect(kinds(await store.move())).toEqual(['moved', 'moved']);
  });

  it('changes nothing if the content is rewritten meanwhile, and removes its object', async () => {
    const key = await sessions.openSession();
    await sessions.append(key, [{ ...message(long('former'), 'm') }]);
    const rewrite = { ...message(long('later'), 'm'), revision: 1 } as SessionContentEntry;
    const meanwhile = store.open({
      async putBytes(request) {
        await store.bucket().putBytes(request);
        await sessions.append(key, [rewrite]);
      },
    });
    expect(kinds(await store.move(meanwhile))).toEqual(['changed', 'moved']);
    expect((await timeline(key, store.open())).map(({ content }) => content)).toEqual([long('later')]);
    expect(store.listKeys().filter((name) => name.includes(key.sessionId))).toHaveLength(1);
  });

  it('changes nothing if the session is deleted meanwhile, and leaves no object', async () => {
    const key = await sessions.openSession();
    await sessions.append(key, [message(long('gone'))]);
    const meanwhile = store.open({
      async putBytes(request) {
        await store.bucket().putBytes(request);
        await sessions.run((trx) => deleteRuntimeSession(trx, key));
        while ((await purgeDeletedSession(store.sweeper(), [])) !== undefined);
      },
    });
    expect(kinds(await store.move(meanwhile))).toEqual(['changed']);
    expect(store.listKeys().filter((name) => name.includes(key.sessionId))).toEqual([]);
  });

  it('loses nothing if the process is killed after the object is stored', async () => {
    const key = await sessions.openSession();
    await sessions.append(key, [message(long('survives'))]);
    const never = (): Promise<never> => Promise.reject(new Error('killed'));
    expect(kinds(await store.move(store.open({ open: never, remove: never })))).toEqual(['failed']);
    expect((await sessions.readTimeline(key))[0]?.content).toBe(long('survives'));
    await store.endClaims();
    expect(kinds(await store.move())).toEqual(['moved']);
    expect((await timeline(key, store.open()))[0]?.content).toBe(long('survives'));
    expect(store.listKeys().filter((name) => name.includes(key.sessionId))).toHaveLength(2);
  });

  it('keeps the object after an error of the database, because the row may name it', async () => {
    const key = await sessions.openSession();
    await sessions.append(key, [message(long('named'))]);
    await sessions.query(`
      create function lose_answer() returns trigger language plpgsql as $$ begin raise exception 'connection lost'; end $$;
      create trigger lose_answer before update on gateway.session_content for each row
        when (new.content_object is not null) execute function lose_answer()`);
    try {
      expect(kinds(await store.move())).toEqual(['failed']);
    } finally {
      await sessions.query('drop trigger lose_answer on gateway.session_content; drop function lose_answer()');
    }
    expect(store.listKeys().filter((name) => name.includes(key.sessionId))).toHaveLength(1);
  });

  it('opens bodies with a key that was changed: only keys of accounts are sealed again', async () => {
    const key = await sessions.openSession({ accountId: newId() });
    await sessions.append(key, [message(long('old key'))]);
    await store.endClaims();
    await store.move();
    const read = async (...secretKeys: string[]) =>
      (await timeline(key, store.open({}, secretKeys))).map(({ contentError }) => contentError);
    const NEXT = 'another-secret-key-for-tests-only-0123456789';
    expect(await read(NEXT, 'a-secret-key-for-tests-only-0123456789')).toEqual([null]);
    expect(await read(NEXT)).toEqual(['lost']);
  });
});
