import type { HintSink } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import { findSession, toRuntimeSession } from '../../sessions/store/find-session.store.ts';
import { lockFreeSessions, lockSession } from '../../sessions/store/runtime-session.store.ts';
import type { SessionWriteOptions } from '../../sessions/runtime-session.ts';
import { readExternalId, type AppendSessionContentInput } from './place-entries.ts';
import { storeContent, type StoredEntries } from './store-content.ts';

export type AppendSessionContentOutcome =
  ({ readonly kind: 'stored' } & StoredEntries) | { readonly kind: 'not_found' };

/**
 * Stores content of any kind, writes its chunks and records the activity, all in the caller's transaction: unless
 * indexing is off, a search after the commit finds the content. An ended session accepts content too and stays ended
 * (late telemetry is normal).
 * @throws AppError `not_found` if the session is deleted meanwhile; in this case, the transaction must not be committed
 */
export async function appendSessionContent(
  trx: AnyTransaction,
  hints: HintSink,
  input: AppendSessionContentInput,
  options: SessionWriteOptions,
): Promise<AppendSessionContentOutcome> {
  // Two concurrent imports of the same messages in different orders would deadlock on the unique keys, so a write of
  // entries with an external id locks the session.
  const takesTurns = input.entries.some((entry) => readExternalId(entry) !== null);
  const row = await (takesTurns ? lockSession : findSession)(trx, input.accountId, input.sessionId);
  if (row === undefined) return { kind: 'not_found' };
  const [stored] = await storeContent(
    trx,
    hints,
    [{ input, session: toRuntimeSession(row), isLocked: takesTurns }],
    options,
  );
  return { kind: 'stored', ...(stored as StoredEntries) };
}

/**
 * Stores content for sessions of any accounts; each session may occur only once. New entries are inserted and indexed
 * with as many statements as for one session. Never waits for the lock of a session: for a session that no longer
 * exists, or that another transaction has locked, nothing is stored, and the outcome is undefined.
 */
export async function appendToFreeSessions(
  trx: AnyTransaction,
  hints: HintSink,
  inputs: readonly AppendSessionContentInput[],
  options: SessionWriteOptions,
): Promise<readonly (StoredEntries | undefined)[]> {
  const rows = await lockFreeSessions(trx, inputs);
  const sessions = new Map(rows.map((row) => [`${row.account_id} ${row.id}`, toRuntimeSession(row)]));
  const appends = inputs.flatMap((input) => {
    const session = sessions.get(`${input.accountId} ${input.sessionId}`);
    return session === undefined ? [] : [{ input, session, isLocked: true }];
  });
  const stored = await storeContent(trx, hints, appends, options);
  const outcomes = new Map(appends.map(({ input }, index) => [input, stored[index]]));
  return inputs.map((input) => outcomes.get(input));
}
