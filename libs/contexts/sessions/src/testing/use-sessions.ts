import type { HintSink } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import { eventually } from '@steward/testing';
import { appendSessionContent } from '../content/operations/append-session-content.ts';
import { listSessionTimeline } from '../content/operations/list-session-timeline.ts';
import type { SessionContentEntry } from '../content/rules/content-kinds.ts';
import { endRuntimeSession } from '../sessions/operations/end-runtime-session.ts';
import { readRuntimeSession } from '../sessions/operations/read-runtime-sessions.ts';
import { upsertRuntimeSession, type UpsertRuntimeSessionInput } from '../sessions/operations/upsert-runtime-session.ts';
import type { SessionWriteOptions } from '../sessions/runtime-session.ts';
import { openTestSessions, WRITE_OPTIONS, type TestSessions } from './open-sessions.ts';

export interface Key {
  readonly accountId: string;
  readonly sessionId: string;
}

export const message = (content: unknown, externalId?: string | null, occurredAt?: Date): SessionContentEntry => ({
  kind: 'transcript_message',
  role: 'user',
  content,
  externalId,
  occurredAt,
});
export const interaction = (request: unknown, response: unknown): SessionContentEntry => ({
  kind: 'gateway_interaction',
  modelAlias: 'fast',
  providerName: 'acme',
  request,
  response,
});
export const logLine = (text: string, occurredAt?: Date): SessionContentEntry => ({
  kind: 'flow_log',
  text,
  occurredAt,
});

/** Sets up a test file: its own database, and the operations as its tests call them. */
export function useSessions() {
  let opened: TestSessions;
  beforeAll(async () => {
    opened = await openTestSessions();
  });
  afterAll(() => opened.close());

  const run: TestSessions['run'] = (work) => opened.run(work);
  const append = (
    key: Key,
    entries: readonly SessionContentEntry[],
    options: SessionWriteOptions = WRITE_OPTIONS,
    now = new Date(),
  ) => run((trx, hints) => appendSessionContent(trx, hints, { ...key, entries, now }, options));
  const upsertIn = (trx: AnyTransaction, hints: HintSink, input: UpsertRuntimeSessionInput) =>
    upsertRuntimeSession(trx, hints, input, WRITE_OPTIONS);
  const endIn = (trx: AnyTransaction, hints: HintSink, key: Key, now = new Date()) =>
    endRuntimeSession(trx, hints, { ...key, reason: 'operator', now }, WRITE_OPTIONS);
  /** Resolves when a session waits for a lock of another one. */
  const waitForBlocked = () =>
    eventually(async () => {
      const blocked = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return (await opened.query(blocked)).length > 0;
    });
  return {
    db: () => opened.database.db,
    hints: () => opened.hints,
    run,
    append,
    openSession: (input?: Partial<UpsertRuntimeSessionInput>) => opened.openSession(input),
    addEndpoint: (accountId: string) => opened.addEndpoint(accountId),
    connectAs: (role: Parameters<TestSessions['connectAs']>[0]) => opened.connectAs(role),
    query: <Row>(text: string, values?: readonly unknown[]) => opened.query<Row>(text, values),
    upsertIn,
    upsert: (input: UpsertRuntimeSessionInput) => run((trx, hints) => upsertIn(trx, hints, input)),
    endIn,
    end: (key: Key, now = new Date()) => run((trx, hints) => endIn(trx, hints, key, now)),
    waitForBlocked,
    read: (key: Key) => readRuntimeSession(opened.database.db, key),
    readTimeline: async (key: Key) => (await listSessionTimeline(opened.database.db, { ...key, limit: 1000 })).items,
    readChunks: ({ sessionId }: Pick<Key, 'sessionId'>) =>
      opened.query<{ content: string; source_id: string; source_kind: string }>(
        'select content, source_id, source_kind from search.chunk where runtime_session_id = $1 order by id',
        [sessionId],
      ),
    readEvents: async (accountId: string) => {
      const rows = await opened.query<{ id: string; type: string; body: Buffer }>(
        'select id, type, body from webhooks.event where account_id = $1 order by id',
        [accountId],
      );
      return rows.map(({ id, type, body }) => ({
        id,
        type,
        data: (JSON.parse(body.toString()) as { data: Record<string, unknown> }).data,
      }));
    },
    /** Commits `first` once `second` waits for its locks, so that the two overlap in a known order. */
    async overlap<A, B>(
      first: (trx: AnyTransaction, hints: HintSink) => Promise<A>,
      second: () => Promise<B>,
    ): Promise<[A, B]> {
      let crossing: Promise<B> | undefined;
      const done = await run(async (trx, hints) => {
        const result = await first(trx, hints);
        crossing = second();
        crossing.catch(() => undefined);
        await waitForBlocked();
        return result;
      });
      return [done, await (crossing as Promise<B>)];
    },
  };
}
