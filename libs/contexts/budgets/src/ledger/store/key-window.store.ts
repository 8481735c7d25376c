import { sql } from 'kysely';
import type { CallLimit } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';

/**
 * Usage of a key in the minute and the day that contain a given time, including the maximum usage of calls in progress.
 */
export type KeyUse = { readonly [Name in CallLimit]: number };

interface WindowRow {
  readonly api_key_id: string;
  readonly span: 'minute' | 'day';
  readonly calls: string;
  readonly tokens: string;
}

const NOTHING: KeyUse = { calls_per_minute: 0, calls_per_day: 0, tokens_per_minute: 0, tokens_per_day: 0 };

export async function readKeyUse(
  db: AnyDatabase,
  { accountId, ids, at }: { readonly accountId: string; readonly ids: readonly string[]; readonly at: Date },
): Promise<ReadonlyMap<string, KeyUse>> {
  const use = new Map(ids.map((id) => [id, NOTHING]));
  if (ids.length === 0) return use;
  const { rows } = await sql<WindowRow>`
    select api_key_id, span, calls::text as calls, (tokens + held_tokens)::text as tokens from budgets.key_window
    where account_id = ${accountId} and api_key_id = any(${[...ids]}::text[])
      and started_at = date_trunc(span, ${at}::timestamptz, 'UTC')
  `.execute(db);
  for (const { api_key_id: id, span, calls, tokens } of rows)
    use.set(id, {
      ...(use.get(id) ?? NOTHING),
      [`calls_per_${span}`]: Number(calls),
      [`tokens_per_${span}`]: Number(tokens),
    });
  return use;
}

/**
 * Deletes windows that began before a time. Daily windows are retained for one more day, because a call in progress may
 * still be settled in them.
 */
export async function forgetKeyWindows(db: AnyDatabase, before: Date): Promise<void> {
  await sql`
    delete from budgets.key_window
    where span = 'minute' and started_at < ${before} or started_at < ${before}::timestamptz - interval '1 day'
  `.execute(db);
}
