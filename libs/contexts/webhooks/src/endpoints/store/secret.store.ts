import { sql } from 'kysely';
import type { AnyTransaction } from '@steward/database';
import { tables } from '../../schema.ts';

export interface NewSecret {
  readonly id: string;
  readonly accountId: string;
  readonly endpointId: string;
  readonly ciphertext: Buffer;
  readonly hint: string;
  /** Time in seconds for which the replaced secret is also used to sign. */
  readonly overlapSeconds: number;
}

/** Returns the current secret in encrypted form. */
export async function findCurrentSecret(trx: AnyTransaction, endpointId: string): Promise<Buffer | undefined> {
  const row = await tables(trx)
    .selectFrom('webhooks.endpoint_secret')
    .select('ciphertext')
    .where('endpoint_id', '=', endpointId)
    .where('expires_at', 'is', null)
    .executeTakeFirst();
  return row?.ciphertext;
}

/**
 * Stores a new current secret. The previous one is also used to sign until the overlap ends; any older secrets are no
 * longer used.
 */
export async function insertSecret(trx: AnyTransaction, secret: NewSecret): Promise<void> {
  await sql`
    delete from webhooks.endpoint_secret
    where account_id = ${secret.accountId} and endpoint_id = ${secret.endpointId}
      and (expires_at is not null or ${secret.overlapSeconds}::int = 0)
  `.execute(trx);
  await sql`
    update webhooks.endpoint_secret set expires_at = now() + make_interval(secs => ${secret.overlapSeconds})
    where account_id = ${secret.accountId} and endpoint_id = ${secret.endpointId}
  `.execute(trx);
  await sql`
    insert into webhooks.endpoint_secret (id, account_id, endpoint_id, ciphertext, hint)
    values (${secret.id}, ${secret.accountId}, ${secret.endpointId}, ${secret.ciphertext}, ${secret.hint})
  `.execute(trx);
}
