import { randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { newId } from '@steward/runtime';
import { buildApiKey, hashApiKey } from '../rules/api-key.ts';
import type { ApiKeyRow, IdentityDatabase } from '../schema.ts';

export type ApiKey = Omit<ApiKeyRow, 'key_hash'>;

export interface NewApiKey {
  readonly accountId: string;
  readonly userId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Date | null;
  readonly runtimePrincipal: { readonly type: string; readonly id: string; readonly name: string | null } | null;
}

/** A new key; the clear text is answered here once and stored nowhere. */
export async function createApiKey(trx: AnyTransaction, input: NewApiKey): Promise<{ key: string; record: ApiKey }> {
  const key = buildApiKey(randomBytes);
  const row = await (trx as Transaction<IdentityDatabase>)
    .insertInto('gateway.api_key')
    .values({
      id: newId(),
      account_id: input.accountId,
      user_id: input.userId,
      name: input.name,
      key_hash: hashApiKey(key),
      hint: key.slice(-4),
      scopes: [...new Set(input.scopes)],
      runtime_principal_type: input.runtimePrincipal?.type ?? null,
      runtime_principal_id: input.runtimePrincipal?.id ?? null,
      runtime_principal_name: input.runtimePrincipal?.name ?? null,
      expires_at: input.expiresAt,
      last_used_at: null,
      revoked_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { key, record: withoutHash(row) };
}

/** Keys that are not revoked, newest first; of one user, or of the whole account. */
export async function listApiKeys(
  db: AnyDatabase,
  filter: {
    readonly accountId: string;
    readonly userId?: string | undefined;
    readonly beforeId: string | undefined;
    readonly limit: number;
  },
): Promise<ApiKey[]> {
  const rows = await (db as unknown as Transaction<IdentityDatabase>)
    .selectFrom('gateway.api_key')
    .selectAll()
    .where('account_id', '=', filter.accountId)
    .where('revoked_at', 'is', null)
    .$if(filter.userId !== undefined, (query) => query.where('user_id', '=', filter.userId as string))
    .$if(filter.beforeId !== undefined, (query) => query.where('id', '<', filter.beforeId as string))
    .orderBy('id', 'desc')
    .limit(filter.limit + 1)
    .execute();
  return rows.map(withoutHash);
}

/** False when there is no such key of this account (and, with `userId`, of this user). */
export async function revokeApiKey(
  trx: AnyTransaction,
  key: { readonly accountId: string; readonly userId?: string | undefined; readonly id: string; readonly now: Date },
): Promise<boolean> {
  const revoked = await (trx as Transaction<IdentityDatabase>)
    .updateTable('gateway.api_key')
    .set({ revoked_at: key.now })
    .where('account_id', '=', key.accountId)
    .where('id', '=', key.id)
    .where('revoked_at', 'is', null)
    .$if(key.userId !== undefined, (query) => query.where('user_id', '=', key.userId as string))
    .returning('id')
    .executeTakeFirst();
  return revoked !== undefined;
}

function withoutHash(row: ApiKeyRow): ApiKey {
  const { key_hash: _hash, ...record } = row;
  return record;
}
