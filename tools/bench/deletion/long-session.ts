import { sql } from 'kysely';
import { beginTrace, newId } from '@steward/crypto';
import { transact, type AnyDatabase, type AnyTransaction } from '@steward/database';
import type { HintSink } from '@steward/contracts';
import { appendSessionContent, upsertRuntimeSession, type SessionWriteOptions } from '@steward/sessions';
import { findOrCreateSpace, VECTOR_INDEX } from '@steward/search';

const OPTIONS: SessionWriteOptions = { indexEnabled: true, captureContent: true, maxPendingPerAccount: 100 };
const MESSAGES_PER_BATCH = 500;
const WIDTH = 256;
const WORDS = 'build failed deploy retry socket timeout branch commit review merge index vector ledger harbor'.split(
  ' ',
);

/** Runs a transaction of the bench, which has no broker, since there are no subscribers. */
export const run = <T>(db: AnyDatabase, work: (trx: AnyTransaction, hints: HintSink) => Promise<T>): Promise<T> =>
  transact({ db, broker: { publishHint: () => undefined }, traceparent: beginTrace() }, work);

export function writeMessage(seed: number): string {
  return Array.from(
    { length: 90 },
    (_, word) => `${WORDS[(seed * 7 + word * word) % WORDS.length] ?? ''}${seed % 97}`,
  ).join(' ');
}

export async function openSession(db: AnyDatabase, accountId: string): Promise<string> {
  const source = { accountId, sessionSourceType: 'bench', sessionSourceId: newId(), now: new Date() };
  return (await run(db, (trx, hints) => upsertRuntimeSession(trx, hints, source, OPTIONS))).session.id;
}

export function appendMessages(
  db: AnyDatabase,
  key: { readonly accountId: string; readonly sessionId: string },
  texts: readonly string[],
): Promise<unknown> {
  const entries = texts.map((content) => ({ kind: 'transcript_message' as const, role: 'user', content }));
  return run(db, (trx, hints) => appendSessionContent(trx, hints, { ...key, entries, now: new Date() }, OPTIONS));
}

/** Creates a vector space of the account with a separate table and HNSW index. Returns the name of the table. */
export async function makeSegment(db: AnyDatabase, accountId: string): Promise<string> {
  const space = await run(db, (trx) =>
    findOrCreateSpace(trx, {
      accountId,
      provider: 'generic_compatible',
      baseUrl: 'https://models.example.com/v1',
      modelIdentifier: 'bench',
      width: WIDTH,
    }),
  );
  const { links, candidates } = VECTOR_INDEX;
  const { rows } = await sql<{ segment: string }>`
    select search.make_segment(${space.id}, ${links}, ${candidates}) as segment
  `.execute(db);
  return rows[0]?.segment ?? '';
}

/** Stores a session with this many messages, with one chunk and one vector each. */
export async function storeLongSession(
  db: AnyDatabase,
  { accountId, segment, chunks }: { readonly accountId: string; readonly segment: string; readonly chunks: number },
): Promise<string> {
  const sessionId = await openSession(db, accountId);
  for (let from = 0; from < chunks; from += MESSAGES_PER_BATCH) {
    const texts = Array.from({ length: Math.min(MESSAGES_PER_BATCH, chunks - from) }, (_, index) =>
      writeMessage(from + index),
    );
    await appendMessages(db, { accountId, sessionId }, texts);
  }
  await sql`
    insert into ${sql.id('search', segment)} (space_id, chunk_id, runtime_session_id, occurred_at, written_at, source_kind, vector)
    select space.id, chunk.id, chunk.runtime_session_id, chunk.occurred_at, now(), chunk.source_kind,
      l2_normalize(array(select random() - 0.5 + 0 * chunk.chunk_index from generate_series(1, ${WIDTH}::int))::real[]::halfvec)
    from search.chunk join search.vector_space space on space.segment = ${segment}
    where chunk.account_id = ${accountId} and chunk.runtime_session_id = ${sessionId}
  `.execute(db);
  return sessionId;
}
