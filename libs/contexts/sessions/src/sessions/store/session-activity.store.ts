import { sql, type RawBuilder } from 'kysely';
import { executeDeferred, executePrepared, type AnyTransaction } from '@steward/database';
import { LAST_SEEN_GRAIN_SECONDS } from './runtime-session.store.ts';

export interface SessionTouch {
  readonly accountId: string;
  readonly sessionId: string;
  /** Time of the newest stored content. */
  readonly occurredAt: Date;
  /**
   * Words that replace the previous hint, unless another writer has replaced it in the meantime; null leaves the hint
   * unchanged.
   */
  readonly titleHint: string | null;
  /** Whether the words of `titleHint` also occur in the session from which this one was forked. */
  readonly isHintCopied: boolean;
  readonly formerHint: string | null;
  readonly now: Date;
}

/**
 * Records activity of sessions; each session may occur only once. Content dated in the future counts as activity at the
 * present time, late content does not set any time back, and no content reopens a session. Returns false if one of the
 * sessions was deleted in the meantime; content stored in it must then not be committed.
 */
export async function touchSessions(trx: AnyTransaction, touches: readonly SessionTouch[]): Promise<boolean> {
  const result = await executePrepared(trx, TOUCH_NAME, buildTouch(touches));
  return result.numAffectedRows === BigInt(touches.length);
}

/**
 * Records activity of sessions that the transaction has locked, so that none of them can be deleted meanwhile. The
 * statement is sent together with the next one, or with the commit.
 */
export async function touchLockedSessions(trx: AnyTransaction, touches: readonly SessionTouch[]): Promise<void> {
  await executeDeferred(trx, TOUCH_NAME, buildTouch(touches));
}

const TOUCH_NAME = 'sessions.touch';

/**
 * Builds the statement. The array in a subquery makes the server expect the same number of rows for any values:
 * otherwise the server would plan the statement again for each short list.
 */
function buildTouch(touches: readonly SessionTouch[]): RawBuilder<unknown> {
  const column = <T>(read: (touch: SessionTouch) => T): T[] => touches.map(read);
  return sql`
    update gateway.runtime_session s set
      last_activity_at = greatest(s.last_activity_at, least(t.occurred_at, t.now)),
      last_seen_at = case when s.last_seen_at < t.now - make_interval(secs => ${LAST_SEEN_GRAIN_SECONDS}) then t.now else s.last_seen_at end,
      title_hint = case when s.title_hint is not distinct from t.former_hint then coalesce(t.title_hint, s.title_hint) else s.title_hint end,
      title_hint_copied = case when t.title_hint is not null and s.title_hint is not distinct from t.former_hint
        then t.is_hint_copied else s.title_hint_copied end,
      updated_at = t.now
    from unnest(
      (select ${column((touch) => touch.accountId)}::uuid[]), ${column((touch) => touch.sessionId)}::uuid[],
      ${column((touch) => touch.occurredAt)}::timestamptz[], ${column((touch) => touch.now)}::timestamptz[],
      ${column((touch) => touch.titleHint)}::text[], ${column((touch) => touch.formerHint)}::text[],
      ${column((touch) => touch.isHintCopied)}::boolean[]
    ) as t (account_id, id, occurred_at, now, title_hint, former_hint, is_hint_copied)
    where s.account_id = t.account_id and s.id = t.id
  `;
}

/**
 * Records that sessions were changed, so that the sweeper reads them again. Omits sessions that other transactions are
 * writing to: waiting for these transactions could cause a deadlock, and they change the sessions anyway.
 */
export async function noteChanged(trx: AnyTransaction, accountId: string, ids: readonly string[]): Promise<void> {
  await sql`
    update gateway.runtime_session set updated_at = clock_timestamp()
    where account_id = ${accountId} and id in (
      select id from gateway.runtime_session
      where account_id = ${accountId} and id = any (${[...ids]}::uuid[]) for no key update skip locked
    )
  `.execute(trx);
}

/**
 * Replaces the words for the title, unless another writer has replaced them in the meantime. This does not count as
 * activity.
 */
export async function setTitleHint(
  trx: AnyTransaction,
  change: Pick<SessionTouch, 'accountId' | 'sessionId' | 'titleHint' | 'isHintCopied' | 'formerHint'>,
): Promise<void> {
  await sql`
    update gateway.runtime_session set title_hint = ${change.titleHint}, title_hint_copied = ${change.isHintCopied}
    where account_id = ${change.accountId} and id = ${change.sessionId}
      and title_hint is not distinct from ${change.formerHint}::text
  `.execute(trx);
}
