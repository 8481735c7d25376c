import { sql } from 'kysely';
import { newId } from '@steward/crypto';
import { APP_ROLES, type AnyTransaction } from '@steward/database';
import { appendSessionContent } from '../../content/operations/append-session-content.ts';
import { importSessionContent } from '../../content/operations/import-session-content.ts';
import { deliverOperatorNotes } from '../../notes/operations/deliver-operator-notes.ts';
import { sendOperatorNote } from '../../notes/operations/send-operator-note.ts';
import { claimNotes } from '../../notes/store/note-claim.store.ts';
import { WRITE_OPTIONS } from '../../testing/open-sessions.ts';
import { message, useSessions, type Key } from '../../testing/use-sessions.ts';
import { claimDeletion } from '../store/session-deletion.store.ts';
import { deleteRuntimeSession } from './delete-runtime-session.ts';
import { purgeDeletedSession, type PurgeStep } from './purge-deleted-session.ts';

const sessions = useSessions();
const deleteIn = (trx: AnyTransaction, key: Key) => deleteRuntimeSession(trx, key);
const deleteNow = (key: Key) => sessions.run((trx) => deleteIn(trx, key));
const purgeOne = () => purgeDeletedSession(sessions.connectAs(APP_ROLES.backfillSweeper).db, []);

async function purgeAll(): Promise<PurgeStep[]> {
  const { db } = sessions.connectAs(APP_ROLES.backfillSweeper);
  const steps: PurgeStep[] = [];
  for (;;) {
    const step = await purgeDeletedSession(db, []);
    if (step === undefined) return steps;
    steps.push(step);
  }
}

/** Returns the number of rows that refer to the session, by table, except for the list of deleted sessions. */
async function countRows({ sessionId }: Pick<Key, 'sessionId'>): Promise<Readonly<Record<string, number>>> {
  const tables = [
    'gateway.runtime_session where id',
    ...[
      'gateway.session_content',
      'gateway.operator_note',
      'search.chunk',
      'search.credential_sighting',
      'search.session_label',
    ].map((table) => `${table} where runtime_session_id`),
  ];
  const counts: Record<string, number> = {};
  for (const table of tables) {
    const [row] = await sessions.query<{ rows: number }>(`select count(*)::int as rows from ${table} = $1`, [
      sessionId,
    ]);
    if (row !== undefined && row.rows > 0) counts[table.split(' ')[0] ?? ''] = row.rows;
  }
  return counts;
}

const note = (key: Key) =>
  sessions.run((trx, hints) =>
    sendOperatorNote(
      trx,
      hints,
      {
        accountId: key.accountId,
        target: { sessionId: key.sessionId },
        text: 'a word to the agent',
        author: { userId: newId(), display: 'x', authMethod: 'token' },
        expiresAt: null,
        now: new Date(),
      },
      WRITE_OPTIONS,
    ),
  );

/** Delivers the waiting notes of the session's agent to the agent. */
const deliver = async (key: Key) => {
  const token = newId();
  const nobody = { agentId: undefined, executionId: undefined, takesAllSessions: false };
  await claimNotes(sessions.db(), { ...key, ...nobody }, token);
  const delivery = { ...key, token, channel: 'gateway', now: new Date() } as const;
  await sessions.run((trx, hints) => deliverOperatorNotes(trx, hints, delivery, WRITE_OPTIONS));
};

describe('deleting a session (SESS-19, SESS-20)', () => {
  it('leaves none of its rows in any table, works in batches, and leaves nothing of it in events (EVT-18)', async () => {
    const accountId = newId();
    await sessions.addEndpoint(accountId);
    const key = await sessions.openSession({ accountId, title: 'T', labels: ['repo:api'] });
    const entries = Array.from({ length: 450 }, (_, index) => message(`DB_PASSWORD=Hunter2-${index} for all`));
    await sessions.append(key, entries);
    await note(key);
    await deliver(key);
    await sessions.end(key);
    const other = await sessions.openSession({ accountId, title: 'U' });
    await sessions.append(other, [message('stays')]);
    const before = await countRows(other);
    expect(Object.keys(await countRows(key))).toHaveLength(6);

    expect(await deleteNow(key)).toEqual({ kind: 'deleted' });
    const steps = await purgeAll();
    expect(steps.at(-1)).toMatchObject({ ...key, isDone: true });
    expect(Math.max(...steps.map(({ rows }) => rows))).toBeLessThan(500);
    expect(steps.length).toBeGreaterThan(4);
    expect([await countRows(key), await countRows(other)]).toEqual([{}, before]);
    const gone = { truncated: true, reason: 'The session was deleted.' };
    expect((await sessions.readEvents(accountId)).map(({ type, data }) => [type, data]).sort()).toEqual([
      ['agent.note_delivered', gone],
      ['agent.note_sent', gone],
      ['session.ended', gone],
    ]);
    expect(await sessions.query('select 1 from search.deleted_session')).toEqual([]);
  });

  it('deletes only a few large bodies at a time', async () => {
    const key = await sessions.openSession();
    const body = 'x'.repeat(3 * 1024 * 1024);
    await sessions.append(key, [message(body), message(body), message(body), message(body)]);
    await deleteNow(key);
    expect(await purgeOne()).toMatchObject({ rows: 3, isDone: false });
    await purgeAll();
    expect(await countRows(key)).toEqual({});
  });

  it('is refused under legal hold and while its execution is active (SESS-22, SESS-23)', async () => {
    const held = await sessions.openSession();
    await sessions.query('update gateway.runtime_session set legal_hold = true where id = $1', [held.sessionId]);
    const running = await sessions.openSession({ executionId: newId() });
    expect([await deleteNow(held), await deleteNow(running)]).toEqual([
      { kind: 'legal_hold' },
      { kind: 'execution_active' },
    ]);
    await sessions.end(running);
    expect(await deleteNow(running)).toEqual({ kind: 'deleted' });
    expect(await deleteNow(running)).toEqual({ kind: 'not_found' });
    expect(await deleteNow({ ...held, accountId: newId() })).toEqual({ kind: 'not_found' });
    await purgeAll();
  });

  it('is shared by processes: none works on a session claimed by another', async () => {
    const [first, second] = [await sessions.openSession(), await sessions.openSession()];
    for (const key of [first, second]) {
      await sessions.append(key, [message('words')]);
      await deleteNow(key);
    }
    await sessions
      .connectAs(APP_ROLES.backfillSweeper)
      .db.transaction()
      .execute(async (trx) => {
        expect(await claimDeletion(trx)).toEqual(first);
        expect(await purgeOne()).toMatchObject({ sessionId: second.sessionId });
      });
    await purgeAll();
    expect([await countRows(first), await countRows(second)]).toEqual([{}, {}]);
  });

  it('leaves a locked chunk to the next batch, and is not finished until then', async () => {
    const key = await sessions.openSession();
    await sessions.append(key, [message('words')]);
    await deleteNow(key);
    expect(await purgeOne()).toMatchObject({ rows: 1 });
    await sessions
      .connectAs(APP_ROLES.backfillSweeper)
      .db.transaction()
      .execute(async (trx) => {
        await sql`select from search.chunk where runtime_session_id = ${key.sessionId} for share`.execute(trx);
        expect(await purgeOne()).toMatchObject({ rows: 0, isDone: false });
      });
    await purgeAll();
    expect(await countRows(key)).toEqual({});
  });
});

describe('a write to a session that is being deleted (SESS-21)', () => {
  const source = { sessionSourceType: 'ci', sessionSourceId: 'run-1' };
  const importInto = (accountId: string, text: string) =>
    sessions.run((trx, hints) =>
      importSessionContent(
        trx,
        hints,
        { accountId, ...source, entries: [message(text, text, new Date())], now: new Date() },
        WRITE_OPTIONS,
      ),
    );

  it('finds no session, and stores nothing, if it contains content', async () => {
    const key = await sessions.openSession();
    const late = sessions.overlap(
      (trx) => deleteIn(trx, key),
      () => sessions.append(key, [message('too late')]),
    );
    await expect(late).rejects.toMatchObject({ code: 'not_found' });
    await purgeAll();
    expect(await countRows(key)).toEqual({});
  });

  it('finishes first if it writes content before the deletion, and its content is deleted as well', async () => {
    const key = await sessions.openSession();
    await sessions.overlap(
      async (trx, hints) => {
        const input = { ...key, entries: [message('just in time')], now: new Date() };
        await appendSessionContent(trx, hints, input, WRITE_OPTIONS);
      },
      () => deleteNow(key),
    );
    expect(await sessions.read(key)).toBeUndefined();
    await purgeAll();
    expect(await countRows(key)).toEqual({});
  });

  it('opens a new session if it names the same source, for an import and for a request', async () => {
    const accountId = newId();
    const { session: old } = await importInto(accountId, 'one');
    const [, imported] = await sessions.overlap(
      (trx) => deleteIn(trx, { accountId, sessionId: old.id }),
      () => importInto(accountId, 'two'),
    );
    expect(imported).toMatchObject({ created: true, stored: 1 });
    expect(imported.session.id).not.toBe(old.id);
    const [, opened] = await sessions.overlap(
      (trx) => deleteIn(trx, { accountId, sessionId: imported.session.id }),
      () => sessions.upsert({ accountId, ...source, now: new Date() }),
    );
    expect(opened.created).toBe(true);
    await purgeAll();
    expect(Object.keys(await countRows({ sessionId: opened.session.id }))).toEqual(['gateway.runtime_session']);
  });
});
