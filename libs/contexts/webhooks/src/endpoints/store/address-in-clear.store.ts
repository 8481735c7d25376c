import { sql } from 'kysely';
import type { SealedAddress } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';

/**
 * Locks and returns endpoints with unencrypted addresses stored by an earlier release; rows locked by other
 * transactions are left for later.
 */
export async function lockAddressesInClear(
  trx: AnyTransaction,
  limit: number,
): Promise<readonly { readonly id: string; readonly url: string }[]> {
  const { rows } = await sql<{ id: string; url: string }>`
    select id, url from webhooks.endpoint where url is not null and source not in ('mail', 'listener')
    order by id limit ${limit} for no key update skip locked
  `.execute(trx);
  return rows;
}

export async function replaceAddress(trx: AnyTransaction, id: string, address: SealedAddress): Promise<void> {
  await sql`
    update webhooks.endpoint set url = null, url_sealed = ${address.sealed}, origin = ${address.origin} where id = ${id}
  `.execute(trx);
}
