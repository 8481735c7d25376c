import { sql } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';

export interface EventHead {
  readonly id: string;
  readonly type: string;
  readonly occurredAt: Date;
}

/** Returns those of the given events that are stored, without their bodies. */
export async function listFacts(
  db: AnyDatabase,
  accountId: string,
  ids: readonly string[],
): Promise<readonly EventHead[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<EventHead>`
    select id, type, occurred_at as "occurredAt" from webhooks.event
    where account_id = ${accountId} and id = any (${[...ids]}::uuid[]) order by id
  `.execute(db);
  return rows;
}

export async function replaceBody(
  trx: AnyTransaction,
  event: { readonly accountId: string; readonly id: string; readonly body: Buffer },
): Promise<void> {
  await sql`
    update webhooks.event set body = ${event.body}, truncated = true
    where account_id = ${event.accountId} and id = ${event.id}
  `.execute(trx);
}
