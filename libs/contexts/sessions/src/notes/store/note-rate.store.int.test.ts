import { newId } from '@steward/crypto';
import { DANA, useNotes } from '../../testing/use-notes.ts';
import { useSessions } from '../../testing/use-sessions.ts';

const HOUR_MS = 3_600_000;
const MOST = 20;

const sessions = useSessions();
const { send, sendIn } = useNotes(sessions);
const countNotes = async (accountId: string) => {
  const rows = await sessions.query('select 1 from gateway.operator_note where account_id = $1', [accountId]);
  return rows.length;
};
const agent = { runtimePrincipalId: 'bot' };
const refused = (retryAfterSeconds: number) => ({ code: 'rate_limited', detail: { limit: MOST }, retryAfterSeconds });

describe('notes from one author to one agent within an hour (SESS-28, LIM-62)', () => {
  it('are limited to twenty across all its sessions; further notes are not stored', async () => {
    const first = await sessions.openSession(agent);
    const { accountId } = first;
    const second = await sessions.openSession({ accountId, ...agent });
    const targets = [first, second, { managedAgentId: 'bot' }];
    for (let index = 0; index < MOST; index += 1) await send(accountId, targets[index % 3]!);
    for (const target of targets)
      await expect(send(accountId, target)).rejects.toMatchObject({ code: 'rate_limited', detail: { limit: MOST } });
    expect(await countNotes(accountId)).toBe(MOST);
    const shown = [...(await sessions.readTimeline(first)), ...(await sessions.readTimeline(second))];
    expect(shown).toHaveLength(MOST);
  });

  it('are limited to twenty under simultaneous requests to two of its sessions', async () => {
    const key = await sessions.openSession(agent);
    const { accountId } = key;
    const other = await sessions.openSession({ accountId, ...agent });
    for (let index = 1; index < MOST; index += 1) await send(accountId, key);
    const crossing = sessions.overlap(
      (trx, hints) => sendIn(trx, hints, accountId, key),
      () => send(accountId, other),
    );
    await expect(crossing).rejects.toMatchObject({ code: 'rate_limited' });
    expect(await countNotes(accountId)).toBe(MOST);
    expect(await sessions.readTimeline(other)).toEqual([]);
  });

  it('are those of the last hour, to the millisecond; the refusal contains the time until the oldest one leaves the hour', async () => {
    const key = await sessions.openSession(agent);
    const start = Date.now();
    const at = (ms: number) => ({ now: new Date(start + ms) });
    for (let index = 0; index < MOST; index += 1) await send(key.accountId, key, at(index * 1000));
    await expect(send(key.accountId, key, at(20_000))).rejects.toMatchObject(refused(3580));
    await expect(send(key.accountId, key, at(HOUR_MS - 1))).rejects.toMatchObject(refused(1));
    await send(key.accountId, key, at(HOUR_MS));
    // The next note that is counted is one second younger.
    await expect(send(key.accountId, key, at(HOUR_MS))).rejects.toMatchObject(refused(1));
    await send(key.accountId, key, at(HOUR_MS + 1000));
  });

  it('do not count for another author, another agent, or another account', async () => {
    const key = await sessions.openSession(agent);
    const { accountId } = key;
    const other = await sessions.openSession({ accountId, runtimePrincipalId: 'other' });
    const foreign = await sessions.openSession(agent);
    for (let index = 0; index < MOST; index += 1) await send(accountId, key);
    await send(accountId, key, { author: { ...DANA, userId: newId() } });
    await send(accountId, other);
    await send(foreign.accountId, foreign);
    await expect(send(accountId, key)).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('are counted per session if the session has no agent', async () => {
    const key = await sessions.openSession();
    const other = await sessions.openSession({ accountId: key.accountId });
    for (let index = 0; index < MOST; index += 1) await send(key.accountId, key);
    await expect(send(key.accountId, key)).rejects.toMatchObject({ code: 'rate_limited' });
    await send(key.accountId, other);
  });

  it('are also counted while they wait for a session', async () => {
    const accountId = newId();
    const target = { managedAgentId: 'idle', isKnown: true };
    for (let index = 0; index < MOST; index += 1) await send(accountId, target);
    await expect(send(accountId, target)).rejects.toMatchObject({ code: 'rate_limited' });
  });
});
