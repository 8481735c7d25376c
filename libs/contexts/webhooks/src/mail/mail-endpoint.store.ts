import { sql } from 'kysely';
import { newId } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { MAIL_URL } from './mail.ts';

/** Returns the id of the endpoint for the account's emails, and creates the endpoint if there is none. */
export async function ensureMailEndpoint(trx: AnyTransaction, accountId: string): Promise<string> {
  await sql`
    insert into webhooks.endpoint (id, account_id, source, source_id, url, description)
    values (${newId()}, ${accountId}, 'mail', ${accountId}, ${MAIL_URL}, 'mail')
    on conflict (account_id) where source = 'mail' and deleted_at is null do nothing
  `.execute(trx);
  const { rows } = await sql<{ id: string }>`
    select id from webhooks.endpoint where account_id = ${accountId} and source = 'mail' and deleted_at is null
  `.execute(trx);
  const [row] = rows;
  if (row === undefined) throw new Error('the endpoint of mail was not stored');
  return row.id;
}
