import { newId } from '@steward/crypto';
import { WRITE_OPTIONS } from '../../testing/open-sessions.ts';
import { useSessions } from '../../testing/use-sessions.ts';
import { findCurrentSessions } from '../store/find-session.store.ts';
import { openCurrentSession, type OpenCurrentSessionInput } from './open-current-session.ts';

const sessions = useSessions();
const open = (input: Pick<OpenCurrentSessionInput, 'accountId' | 'source' | 'apiKeyId'>) =>
  sessions.run((trx, hints) =>
    openCurrentSession(trx, hints, { sessionSourceType: 'gateway', now: new Date(), ...input }, WRITE_OPTIONS),
  );

describe('the current session of a source (SESS-26)', () => {
  it('is the same for concurrent calls, and a new one once it has ended', async () => {
    const accountId = newId();
    const source = { current: `key:${newId()}` };
    const opened = await Promise.all(Array.from({ length: 20 }, () => open({ accountId, source })));
    const [first] = opened;
    expect(new Set(opened.map(({ id }) => id)).size).toBe(1);
    await sessions.end({ accountId, sessionId: first!.id });
    const second = await open({ accountId, source });
    expect(second.id).not.toBe(first!.id);
    expect((await open({ accountId, source })).id).toBe(second.id);
  });

  it('is not a session of another source or account, regardless of the names', async () => {
    const accountId = newId();
    const ids = [
      (await open({ accountId, source: { current: 'key:a' } })).id,
      (await open({ accountId, source: { current: 'key:b' } })).id,
      (await open({ accountId: newId(), source: { current: 'key:a' } })).id,
      (await open({ accountId, source: { id: 'key:a' } })).id,
      (await open({ accountId, source: { id: `keya:${newId()}` } })).id,
    ];
    expect(new Set(ids).size).toBe(ids.length);
    expect((await open({ accountId, source: { current: 'key:a' } })).id).toBe(ids[0]);
  });

  it('is never a session that another key opened under a similar name', async () => {
    const accountId = newId();
    const [key, other] = [newId(), newId()];
    const taken = await open({ accountId, source: { id: `key:${key}:${newId()}` }, apiKeyId: other });
    const own = await open({ accountId, source: { current: `key:${key}` }, apiKeyId: key });
    expect(own.id).not.toBe(taken.id);
    expect((await open({ accountId, source: { current: `key:${key}` }, apiKeyId: key })).id).toBe(own.id);
  });

  it('is found for many sources of any accounts at once, in the given order', async () => {
    const keys = [
      { accountId: newId(), source: { current: 'key:a' } },
      { accountId: newId(), source: { current: 'key:a' } },
      { accountId: newId(), source: { id: 'mine' } },
    ];
    const ids = [];
    for (const key of keys) ids.push((await open(key)).id);
    const none = { accountId: newId(), source: { current: 'key:a' } };
    const asked = [...keys, none].toReversed().map((key) => ({ ...key, sourceType: 'gateway', apiKeyId: null }));
    const found = await findCurrentSessions(sessions.db(), asked);
    expect(found.map((row) => row?.id)).toEqual([undefined, ...ids.toReversed()]);
  });

  it('is the one named by the caller, even if it has ended', async () => {
    const accountId = newId();
    const source = { id: 'mine' };
    const { id: sessionId } = await open({ accountId, source });
    await sessions.end({ accountId, sessionId });
    expect(await open({ accountId, source })).toMatchObject({ id: sessionId, endReason: 'operator' });
  });
});
