import { sql } from 'kysely';
import type { SealedAddress } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import type { ToolServerKey } from './tool-server.store.ts';

/**
 * Locks and returns servers with unencrypted addresses stored by an earlier release; rows locked by other transactions
 * are left for later.
 */
export async function lockAddressesInClear(
  trx: AnyTransaction,
  limit: number,
): Promise<readonly (ToolServerKey & { readonly url: string })[]> {
  const { rows } = await sql<ToolServerKey & { readonly url: string }>`
    select account_id as "accountId", id, url from tool_servers.server where url is not null
    order by account_id, id limit ${limit} for no key update skip locked
  `.execute(trx);
  return rows;
}

export async function replaceAddress(
  trx: AnyTransaction,
  { accountId, id }: ToolServerKey,
  address: SealedAddress,
): Promise<void> {
  await sql`
    update tool_servers.server set url = null, url_sealed = ${address.sealed}, origin = ${address.origin}
    where account_id = ${accountId} and id = ${id}
  `.execute(trx);
}
