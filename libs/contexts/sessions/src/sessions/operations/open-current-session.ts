import type { HintSink } from '@steward/contracts';
import { newId } from '@steward/crypto';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import type { RuntimeSession, SessionWriteOptions } from '../runtime-session.ts';
import { findCurrentSessions, toRuntimeSession } from '../store/find-session.store.ts';
import { lockSource } from '../store/runtime-session.store.ts';
import { upsertRuntimeSession, type UpsertRuntimeSessionInput } from './upsert-runtime-session.ts';

export interface OpenCurrentSessionInput extends Omit<UpsertRuntimeSessionInput, 'sessionSourceId'> {
  /**
   * Id of the session at its source, or only the name of the caller. With only a name, the caller's open session is
   * used, or a new one if none is open.
   */
  readonly source: { readonly id: string } | { readonly current: string };
}

export type CurrentSessionKey = Pick<
  OpenCurrentSessionInput,
  'accountId' | 'sessionSourceType' | 'source' | 'apiKeyId'
>;

/**
 * Returns the current session of a source, without a transaction; undefined if there is none. Most calls need only this
 * function.
 */
export async function findCurrentSession(
  db: AnyDatabase,
  { accountId, sessionSourceType: sourceType, source, apiKeyId = null }: CurrentSessionKey,
): Promise<RuntimeSession | undefined> {
  const [found] = await findCurrentSessions(db, [{ accountId, sourceType, source, apiKeyId }]);
  return found === undefined ? undefined : toRuntimeSession(found);
}

/**
 * Finds or opens the current session of a source (SESS-26). An existing session is returned without writing to the
 * database. Two concurrent calls of a caller that do not name a session get the same session.
 */
export async function openCurrentSession(
  trx: AnyTransaction,
  hints: HintSink,
  { source, ...input }: OpenCurrentSessionInput,
  options: SessionWriteOptions,
): Promise<RuntimeSession> {
  const found = await findCurrentSession(trx, { ...input, source });
  if (found !== undefined) return found;
  if ('id' in source) return open(source.id);
  await lockSource(trx, [input.accountId, input.sessionSourceType, source.current].join(' '));
  return (await findCurrentSession(trx, { ...input, source })) ?? open(`${source.current}:${newId()}`);

  async function open(sessionSourceId: string): Promise<RuntimeSession> {
    const { session } = await upsertRuntimeSession(trx, hints, { ...input, sessionSourceId }, options);
    return session;
  }
}
