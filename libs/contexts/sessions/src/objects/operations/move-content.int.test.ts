import { newId } from '@steward/crypto';
import { StoreError } from '@steward/storage';
import { scaleLimit } from '@steward/testing';
import { purgeDeletedSession } from '../../deletion/operations/purge-deleted-session.ts';
import { deleteRuntimeSession } from '../../deletion/operations/delete-runtime-session.ts';
import { listSessionTimeline } from '../../content/operations/list-session-timeline.ts';
import { findSessionOfModelCall } from '../../sessions/store/calling-session.store.ts';
import { long, useContentStore } from '../../testing/use-content-store.ts';
import { interaction, message, useSessions, type Key } from '../../testing/use-sessions.ts';
import type { SessionContentEntry } from '../../content/rules/content-kinds.ts';
import type { ContentObjects } from '../content-objects.ts';
import type { MoveOutcome } from './move-content.ts';

const sessions = useSessions();
const store = useContentStore(sessions);
const LONG_TEST_MS = scaleLimit(240_000);

const call = (value: unknown): SessionContentEntry => ({
  ...{ kind: 'tool_call', toolName: 'bash', arguments: { value }, result: value },
});
const kinds = (outcomes: readonly MoveOutcome[]) => outcomes.map(({ kind }) => kind);
const timeline = async (key: Key, objects: ContentObjects | undefined) =>
  (await listSessionTimeline(sessions.db(), { ...key, limit: 200 }, objects)).items;

describe('the latest model calls of an open session', () => {
  it('stay in the database, where the session of a tool call is searched, until the session ends', async () => {
    const apiKeyId = newId();
    const key = await sessions.openSession({ sessionSourceType: 'claude-code', apiKeyId });
    const ids = ['toolu_1', 'toolu_2', 'toolu_3', 'toolu_4'];
    for (const id of ids) await sessions.append(key, [interaction(long('question'), { id })]);
    await sessions.append(key, [call(long('result'))]);
    expect(kinds(await store.move())).toEqual(['moved', 'moved']);
    const find = async (callId: string) => {
      const asked = { accountId: key.accountId, apiKeyId, sourceType: 'claude-code', callId };
      return (await findSessionOfModelCall(sessions.db(), asked)).sessionId;
    };
    expect(await Promise.all(ids.map(find))).toEqual([undefined, key.sessionId, key.sessionId, key.sessionId]);
    await sessions.end(key);
    expect(kinds(await store.move())).toEqual(['moved', 'moved', 'moved']);
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
      expect(await store.countMoved(key)).toBe(90);
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
    expect([await store.countMoved(key), (await sessions.readTimeline(key))[0]?.content]).toEqual([0, long('kept')]);
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
    expect(await store.countMoved(key)).toBe(0);
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
      (await timeline(key, store.open({}, { secretKeys }))).map(({ contentError }) => contentError);
    const NEXT = 'another-secret-key-for-tests-only-0123456789';
    expect(await read(NEXT, 'a-secret-key-for-tests-only-0123456789')).toEqual([null]);
    expect(await read(NEXT)).toEqual(['lost']);
  });
});
