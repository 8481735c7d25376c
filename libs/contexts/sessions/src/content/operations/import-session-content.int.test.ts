import { newId } from '@steward/crypto';
import { message, useSessions, type Key } from '../../testing/use-sessions.ts';
import { WRITE_OPTIONS } from '../../testing/open-sessions.ts';
import { deleteRuntimeSession } from '../../deletion/operations/delete-runtime-session.ts';
import { openCurrentSession } from '../../sessions/operations/open-current-session.ts';
import { storeSessionTitles } from '../../titles/operations/title-sessions.ts';
import { closeImportedSession } from '../../sessions/operations/close-imported-session.ts';
import { importSessionContent, type ImportSessionContentInput } from './import-session-content.ts';

const sessions = useSessions();
const at = (hour: number): Date => new Date(Date.UTC(2026, 9, 5, hour));

function importPart(input: Partial<ImportSessionContentInput>) {
  const full = { accountId: newId(), sessionSourceType: 'codex', sessionSourceId: 'one', entries: [], now: new Date() };
  return sessions.run((trx, hints) => importSessionContent(trx, hints, { ...full, ...input }, WRITE_OPTIONS));
}

const close = (key: Key, input: { endedAt?: Date; idleMinutes?: number } = {}) =>
  sessions.run((trx) => closeImportedSession(trx, { ...key, idleMinutes: 60, now: new Date(), ...input }));

describe('importing a session in parts', () => {
  it('starts the session with the oldest entry of all parts and stores each entry once (IMP-5)', async () => {
    const accountId = newId();
    const later = [message('b', 'b', at(9)), message('c', 'c', at(10))];
    const first = await importPart({ accountId, entries: later });
    expect(first).toMatchObject({ created: true, stored: 2, skipped: 0 });
    expect(first.session.startedAt).toEqual(at(9));
    const second = await importPart({ accountId, entries: [message('a', 'a', at(8)), ...later] });
    expect(second).toMatchObject({ created: false, stored: 1, skipped: 2 });
    expect(await sessions.read({ accountId, sessionId: first.session.id })).toMatchObject({ startedAt: at(8) });
  });

  it('does not change any column of existing entries', async () => {
    const accountId = newId();
    const part = { accountId, title: 'Retry', labels: ['repo:shop'], entries: [message('a', 'a', at(8))] };
    const { session } = await importPart(part);
    const key = { accountId, sessionId: session.id };
    const before = await sessions.query('select * from gateway.runtime_session where id = $1', [session.id]);
    expect(await importPart(part)).toMatchObject({ created: false, stored: 0, skipped: 1 });
    expect(await sessions.query('select * from gateway.runtime_session where id = $1', [session.id])).toEqual(before);
    expect(await sessions.readTimeline(key)).toHaveLength(1);
  });

  it('stores each entry once under concurrent imports', async () => {
    const accountId = newId();
    const entries = Array.from({ length: 20 }, (_, index) => message(`m${index}`, `m${index}`, at(8)));
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => importPart({ accountId, entries })));
    expect(outcomes.filter(({ created }) => created)).toHaveLength(1);
    expect(outcomes.reduce((sum, { stored }) => sum + stored, 0)).toBe(20);
  });

  it("gives the session the agent's current title until a user sets one (SESS-37)", async () => {
    const accountId = newId();
    const entries = [message('a', 'a', at(8))];
    const { session } = await importPart({ accountId, title: 'First', entries });
    const key = { accountId, sessionId: session.id };
    await importPart({ accountId, title: 'Second', entries });
    await importPart({ accountId, entries });
    expect(await sessions.read(key)).toMatchObject({ title: 'Second', titleOrigin: 'imported' });
    const titles = [{ sessionId: session.id, title: 'made' }];
    await sessions.run((trx, hints) => storeSessionTitles(trx, hints, { accountId, titles }, WRITE_OPTIONS));
    expect(await sessions.read(key)).toMatchObject({ title: 'Second' });
    const source = { accountId, sessionSourceType: 'codex', sessionSourceId: 'one' };
    await sessions.run((trx, hints) => sessions.upsertIn(trx, hints, { ...source, title: 'Ours', now: new Date() }));
    await importPart({ accountId, title: 'Third', entries });
    expect(await sessions.read(key)).toMatchObject({ title: 'Ours', titleOrigin: 'client' });
  });

  it('keeps a title set by a user', async () => {
    const accountId = newId();
    const { sessionId } = await sessions.openSession({
      ...{ accountId, sessionSourceType: 'codex', sessionSourceId: 'one', title: 'Ours' },
    });
    await importPart({ accountId, title: 'Theirs', entries: [message('a', 'a', at(8))] });
    expect(await sessions.read({ accountId, sessionId })).toMatchObject({ title: 'Ours' });
  });
});

describe('the session data of an import (IMP-5)', () => {
  it('does not overwrite a concurrent change', async () => {
    const accountId = newId();
    const source = { accountId, sessionSourceType: 'codex', sessionSourceId: 'one' };
    const { session } = await importPart({ accountId, title: 'First words', labels: ['repo:shop'] });
    let other: Promise<unknown> = Promise.resolve();
    await sessions.run(async (trx, hints) => {
      await sessions.upsertIn(trx, hints, { ...source, title: 'Ours', labels: ['repo:shop', 'ours'], now: new Date() });
      other = importPart({ accountId, title: 'Theirs', labels: ['branch:main'] });
      await sessions.waitForBlocked();
    });
    await other;
    const read = await sessions.read({ accountId, sessionId: session.id });
    expect([read?.title, read?.labels.toSorted()]).toEqual(['Ours', ['branch:main', 'ours', 'repo:shop']]);
  });

  it('adds its labels to existing ones, and uses the newer value for the same key', async () => {
    const accountId = newId();
    const entries = [message('a', 'a', at(8))];
    await importPart({ accountId, labels: ['branch:main', 'person:ana'], entries });
    const { session } = await importPart({ accountId, labels: ['branch:fix', 'commit:abc'], entries });
    expect(session.labels).toEqual(['person:ana', 'branch:fix', 'commit:abc']);
  });

  it.each([
    ['composed of several characters', 'person:Zoe\u0301'],
    ['with a credential', `note:ghp_${'a1B2'.repeat(9)}`],
    ['that no column can hold', 'note:a\u0000b'],
  ])('does not rewrite rows for a label %s: repetitions do not keep a session open (IMP-3)', async (_what, label) => {
    const accountId = newId();
    const part = { accountId, labels: [label], entries: [message('a', 'a', at(8))] };
    const { session } = await importPart(part);
    const text = 'select * from gateway.runtime_session where id = $1';
    const before = await sessions.query(text, [session.id]);
    expect(await importPart({ ...part, now: new Date(Date.now() + 60_000) })).toMatchObject({ stored: 0, skipped: 1 });
    expect(await sessions.query(text, [session.id])).toEqual(before);
  });

  it('replaces a title that was generated from the first words', async () => {
    const accountId = newId();
    const entries = [message('first words', 'a', at(8))];
    const { session } = await importPart({ accountId, entries });
    const titles = [{ sessionId: session.id, title: 'first words' }];
    await sessions.run((trx, hints) => storeSessionTitles(trx, hints, { accountId, titles }, WRITE_OPTIONS));
    expect((await importPart({ accountId, title: 'Theirs', entries })).session).toMatchObject({
      ...{ title: 'Theirs', titleOrigin: 'imported' },
    });
  });

  it('is used again if the session is imported again after its deletion (SESS-21)', async () => {
    const accountId = newId();
    const part = { accountId, title: 'Retry', labels: ['repo:shop'], entries: [message('a', 'a', at(8))] };
    const { session } = await importPart(part);
    await sessions.run((trx) => deleteRuntimeSession(trx, { accountId, sessionId: session.id }));
    const again = await importPart(part);
    expect(again).toMatchObject({ created: true, stored: 1, session: { title: 'Retry', labels: ['repo:shop'] } });
    expect(again.session.id).not.toBe(session.id);
  });
});

describe('an import under a name reserved for the gateway (SESS-26)', () => {
  const name = (of: string) => ({ sessionSourceType: 'gateway', sessionSourceId: `${of}:${newId()}:${newId()}` });

  it.each(['key', 'user'])('is stored once, under a name that is not reserved: %s', async (of) => {
    const part = { accountId: newId(), ...name(of), entries: [message('a', 'a', at(8))] };
    const first = await importPart(part);
    expect(first.session.sessionSourceId).toBe(`imported:${part.sessionSourceId}`);
    expect(await importPart(part)).toMatchObject({ created: false, stored: 0, session: { id: first.session.id } });
  });

  it('is added to the existing session of that name, and never to a session of another account', async () => {
    const part = { ...name('key'), entries: [message('a', 'a', at(8))] };
    const { accountId, sessionId } = await sessions.openSession(part);
    expect(await importPart({ ...part, accountId })).toMatchObject({ created: false, session: { id: sessionId } });
    expect(await importPart({ ...part, accountId: newId() })).toMatchObject({ created: true });
  });

  it('is not used by the gateway as the session of the key afterwards', async () => {
    const [accountId, keyId] = [newId(), newId()];
    const taken = { sessionSourceType: 'gateway', sessionSourceId: `key:${keyId}:${newId()}` };
    const { session } = await importPart({
      accountId,
      apiKeyId: keyId,
      ...taken,
      entries: [message('a', 'a', new Date())],
    });
    const current = { accountId, sessionSourceType: 'gateway', source: { current: `key:${keyId}` }, apiKeyId: keyId };
    const opened = await sessions.run((trx, hints) =>
      openCurrentSession(trx, hints, { ...current, now: new Date() }, WRITE_OPTIONS),
    );
    expect(opened.id).not.toBe(session.id);
  });
});

describe('a session that had ended before it was imported (IMP-6)', () => {
  it('ends with its last entry, with reason idle and without an event', async () => {
    const accountId = newId();
    await sessions.addEndpoint(accountId);
    const { session } = await importPart({ accountId, entries: [message('a', 'a', at(8)), message('b', 'b', at(9))] });
    const key = { accountId, sessionId: session.id };
    expect(await close(key)).toBe(true);
    expect(await close(key)).toBe(false);
    expect(await sessions.read(key)).toMatchObject({ endedAt: at(9), endReason: 'idle' });
    expect(await sessions.readEvents(accountId)).toEqual([]);
  });

  it('ends at the requested time, never before its start', async () => {
    for (const [endedAt, expected] of [
      [at(11), at(11)],
      [at(1), at(8)],
    ] as const) {
      const { session } = await importPart({ entries: [message('a', 'a', at(8))] });
      const key = { accountId: session.accountId, sessionId: session.id };
      await close(key, { endedAt });
      expect(await sessions.read(key)).toMatchObject({ endedAt: expected, endReason: 'operator' });
    }
  });

  it('does not end if it is still active, if sessions never become idle, or if it was opened meanwhile', async () => {
    const running = await importPart({ entries: [message('a', 'a', new Date())] });
    const old = await importPart({ entries: [message('a', 'a', at(8))] });
    const live = await sessions.openSession({ now: at(8) });
    const keyOf = ({ session }: typeof old) => ({ accountId: session.accountId, sessionId: session.id });
    expect(await close(keyOf(running))).toBe(false);
    expect(await close(keyOf(old), { idleMinutes: 0 })).toBe(false);
    expect(await close(live)).toBe(false);
    expect(await close(keyOf(old))).toBe(true);
  });
});

describe('an entry that is changed by its source', () => {
  const draft = { ...message('Let me', 'm', at(8)), role: 'assistant' };
  const whole = {
    ...message('Let me count eleven mallards', 'm', at(9)),
    role: 'assistant',
    outputTokens: 20,
    revision: 1,
  };
  const stored = (accountId: string, sessionId: string) =>
    sessions.query(
      'select content, output_tokens, occurred_at from gateway.session_content where account_id = $1 and runtime_session_id = $2',
      [accountId, sessionId],
    );
  const chunks = (accountId: string) => sessions.query('select * from search.chunk where account_id = $1', [accountId]);

  it.each([
    ['in one part', [[draft, whole]]],
    ['in two', [[draft], [whole]]],
    ['the newer one first', [[whole], [draft]]],
    ['again and again', [[draft], [whole], [draft, whole], [draft]]],
  ])('is stored in its latest version and found by it: %s (IMP-10)', async (_how, parts) => {
    const accountId = newId();
    let sessionId = '';
    for (const entries of parts) sessionId = (await importPart({ accountId, entries })).session.id;
    expect(await stored(accountId, sessionId)).toMatchObject([
      { content: 'Let me count eleven mallards', output_tokens: 20 },
    ]);
    const texts = JSON.stringify(await chunks(accountId));
    expect(texts).toContain('eleven mallards');
    expect(texts).not.toContain('"Let me"');
    expect(await chunks(accountId)).toHaveLength(1);
  });

  it('is reported as replaced the first time and as skipped the second time', async () => {
    const accountId = newId();
    await importPart({ accountId, entries: [draft] });
    expect(await importPart({ accountId, entries: [whole] })).toMatchObject({ stored: 0, replaced: 1, skipped: 0 });
    expect(await importPart({ accountId, entries: [whole] })).toMatchObject({ stored: 0, replaced: 0, skipped: 1 });
  });

  it('is recognized by the id assigned by an earlier release, but only if the time is the same (IMP-3)', async () => {
    const accountId = newId();
    await importPart({ accountId, entries: [message('continue', '2:hash', at(8))] });
    const now = (hour: number) => ({ ...message('continue', `${hour}:hash`, at(hour)), formerId: '2:hash' });
    expect(await importPart({ accountId, entries: [now(8), now(9)] })).toMatchObject({ stored: 1, skipped: 1 });
  });

  it.each([
    ['that is all', []],
    ['beside what it left out', [message('Then the footer', 'typed', at(10))]],
  ])('updates the title of a session that was imported before: %s (SESS-37)', async (_which, others) => {
    const accountId = newId();
    const asked = message('Repair the login page', '1:hash', at(8));
    const { session } = await importPart({ accountId, entries: [asked] });
    await sessions.query('update gateway.runtime_session set title_hint = $2 where id = $1', [
      session.id,
      '<environment_context> <cwd>/',
    ]);
    const again = { ...message('Repair the login page', '8:hash', at(8)), formerId: '1:hash' };
    expect(await importPart({ accountId, entries: [again, ...others] })).toMatchObject({ skipped: 1 });
    const [row] = await sessions.query('select title_hint from gateway.runtime_session where id = $1', [session.id]);
    expect(row).toEqual({ title_hint: 'Repair the login page' });
  });
});
