import { newId } from '@steward/crypto';
import { DANA, useNotes } from '../../testing/use-notes.ts';
import { useSessions } from '../../testing/use-sessions.ts';
import { deleteRuntimeSession } from '../../deletion/operations/delete-runtime-session.ts';
import { NOTE_STATES } from '../operator-note.ts';
import { listNotes, moveWaitingNotes, type NoteFilter } from './operator-note.store.ts';

const sessions = useSessions();
const { send, claim, deliver, expire, find } = useNotes(sessions);
const list = async (accountId: string, filter: Partial<NoteFilter> = {}) =>
  (await listNotes(sessions.db(), { accountId, limit: 100, ...filter })).map(({ id }) => id);
const toAgent = (managedAgentId: string) => ({ managedAgentId, isKnown: true });

describe('the list of notes (SESS-31)', () => {
  it('is returned newest first, page by page, with one extra row if there is a next page (API-11)', async () => {
    const key = await sessions.openSession();
    const sent: string[] = [];
    for (let index = 0; index < 7; index += 1) sent.unshift((await send(key.accountId, key)).id);
    const seen: string[] = [];
    for (;;) {
      const page = await list(key.accountId, { beforeId: seen.at(-1), limit: 3 });
      seen.push(...page.slice(0, 3));
      if (page.length <= 3) break;
    }
    expect(seen).toEqual(sent);
  });

  it('shows a note only in its current state', async () => {
    const key = await sessions.openSession();
    const { accountId } = key;
    const [delivered, expired] = [await send(accountId, key), await send(accountId, key)];
    const { token } = await claim(accountId, key);
    await sessions.query('update gateway.operator_note set claim_token = null, claimed_until = null where id = $1', [
      expired.id,
    ]);
    await deliver(accountId, token, key);
    await expire(expired.id);
    const cancelled = await send(accountId, key);
    await sessions.query('update gateway.operator_note set cancelled_at = now() where id = $1', [cancelled.id]);
    const pending = await send(accountId, key);
    const byState = { pending, delivered, expired, cancelled };
    for (const state of NOTE_STATES)
      expect([state, await list(accountId, { state })]).toEqual([state, [byState[state].id]]);
    // A delivered note stays delivered after its expiry.
    await expire(delivered.id);
    expect(await list(accountId, { state: 'delivered' })).toEqual([delivered.id]);
  });

  it('is filtered by session, agents and execution, separately and together', async () => {
    const key = await sessions.openSession({ runtimePrincipalId: 'bot' });
    const { accountId, sessionId: runtimeSessionId } = key;
    const executionId = newId();
    const own = await send(accountId, key);
    const idle = await send(accountId, toAgent('idle'));
    const run = await send(accountId, { executionId, managedAgentId: 'idle' });
    expect(await list(accountId, { runtimeSessionId })).toEqual([own.id]);
    expect(await list(accountId, { managedAgentIds: ['idle'] })).toEqual([run.id, idle.id]);
    expect(await list(accountId, { managedAgentIds: ['idle', 'bot'] })).toEqual([run.id, idle.id, own.id]);
    expect(await list(accountId, { managedAgentIds: [] })).toEqual([]);
    expect(await list(accountId, { executionId })).toEqual([run.id]);
    expect(await list(accountId, { executionId, managedAgentIds: ['idle'], state: 'pending' })).toEqual([run.id]);
    expect(await list(accountId, { executionId, runtimeSessionId })).toEqual([]);
  });

  it('shows nothing of another account, for any filters (API-10)', async () => {
    const key = await sessions.openSession({ runtimePrincipalId: 'bot' });
    const { id } = await send(key.accountId, key);
    const stranger = newId();
    const filters: Partial<NoteFilter>[] = [{}, { runtimeSessionId: key.sessionId }, { managedAgentIds: ['bot'] }];
    for (const filter of filters) expect(await list(stranger, filter)).toEqual([]);
    expect(await find(stranger, id)).toBeUndefined();
  });

  it('shows nothing of a deleted session, even before its rows are deleted (SESS-19)', async () => {
    const key = await sessions.openSession({ runtimePrincipalId: 'bot' });
    const { accountId } = key;
    const { id } = await send(accountId, key);
    const waiting = await send(accountId, toAgent('idle'));
    await sessions.run((trx) => deleteRuntimeSession(trx, key));
    expect(await list(accountId)).toEqual([waiting.id]);
    expect(await list(accountId, { runtimeSessionId: key.sessionId })).toEqual([]);
    expect(await find(accountId, id)).toBeUndefined();
  });

  it('has all fields of each note, regardless of where its text is stored', async () => {
    const key = await sessions.openSession({ runtimePrincipalId: 'bot' });
    const expiresAt = new Date(Date.now() + 60_000);
    const stored = await send(key.accountId, key, { text: 'in the session "quoted"\n', expiresAt });
    const waiting = await send(key.accountId, toAgent('idle'), { text: 'on its own' });
    expect(await listNotes(sessions.db(), { accountId: key.accountId, limit: 10 })).toEqual([waiting, stored]);
    expect(stored).toMatchObject({ author: DANA, expiresAt, hasOwnText: false, managedAgentId: 'bot' });
  });
});

describe('a note for an agent that is merged into another (AGT-7)', () => {
  const move = (accountId: string, agentId: string, to: string) =>
    sessions.run((trx) => moveWaitingNotes(trx, { accountId, agentId, to }));

  it('waits for that agent from now on; delivered notes and those of other accounts do not change', async () => {
    const [accountId, other] = [newId(), newId()];
    const arrived = await send(accountId, toAgent('old'));
    await deliver(accountId, (await claim(accountId, { agentId: 'old' })).token);
    const waiting = await send(accountId, toAgent('old'));
    const foreign = await send(other, toAgent('old'));
    await move(accountId, 'old', 'new');
    expect((await claim(accountId, { agentId: 'old' })).ids).toEqual([]);
    expect((await claim(accountId, { agentId: 'new' })).ids).toEqual([waiting.id]);
    expect(await find(accountId, arrived.id)).toMatchObject({ managedAgentId: 'old', state: 'delivered' });
    expect((await claim(other, { agentId: 'old' })).ids).toEqual([foreign.id]);
  });
});
