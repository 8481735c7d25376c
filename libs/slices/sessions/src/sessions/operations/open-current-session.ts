import type { HintSink } from '@steward/contracts';
import { newId } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import type { RuntimeSession, SessionWriteOptions } from '../runtime-session.ts';
import { findOpenSessionOfSource, findSessionBySource, toRuntimeSession } from '../store/find-session.store.ts';
import { lockSource } from '../store/runtime-session.store.ts';
import { upsertRuntimeSession, type UpsertRuntimeSessionInput } from './upsert-runtime-session.ts';

export interface OpenCurrentSessionInput extends Omit<UpsertRuntimeSessionInput, 'sessionSourceId'> {
  /** The source names its session, or stands for whoever does not: then it is the one that is open, and a new one after its end. */
  readonly source: { readonly id: string } | { readonly current: string };
}

/**
 * The session that a source is in now (SESS-26). One that is there is given as it is, without a write. Two calls at once of a
 * source that names none get one session.
 */
export async function openCurrentSession(
  trx: AnyTransaction,
  hints: HintSink,
  { source, ...input }: OpenCurrentSessionInput,
  options: SessionWriteOptions,
): Promise<RuntimeSession> {
  const { accountId, sessionSourceType: sourceType } = input;
  const find = () =>
    'id' in source
      ? findSessionBySource(trx, { accountId, sourceType, sourceId: source.id })
      : findOpenSessionOfSource(trx, { accountId, sourceType, name: source.current });
  const found = await find();
  if (found !== undefined) return toRuntimeSession(found);
  if ('id' in source) return open(source.id);
  await lockSource(trx, [accountId, sourceType, source.current].join(' '));
  const opened = await find();
  return opened === undefined ? open(`${source.current}:${newId()}`) : toRuntimeSession(opened);

  async function open(sessionSourceId: string): Promise<RuntimeSession> {
    const { session } = await upsertRuntimeSession(trx, hints, { ...input, sessionSourceId }, options);
    return session;
  }
}
