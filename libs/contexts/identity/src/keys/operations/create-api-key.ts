import { randomBytes } from 'node:crypto';
import type { ModelLimits } from '@steward/contracts';
import { newId } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { buildApiKey, hashCredential } from '../../credentials/rules/credential-text.ts';
import type { ApiKeyRow } from '../../schema.ts';
import { withoutHash, type ApiKey } from '../rules/api-key.ts';
import { deriveChildKey, type ChildKey, type KeyLimits } from '../rules/derive-child-key.ts';
import { findKey, holdActiveUser, insertApiKey } from '../store/api-key.store.ts';

export interface NewApiKey extends KeyLimits {
  readonly accountId: string;
  readonly userId: string;
  readonly name: string;
  /** Id of the parent key; undefined if a person creates the key. */
  readonly parentId: string | undefined;
  readonly modelLimits?: ModelLimits | null | undefined;
  /** Whether the agent to which the key is bound is suspended. */
  readonly isSuspended?: boolean | undefined;
}

export type CreateApiKeyOutcome =
  | { readonly kind: 'created'; readonly key: string; readonly record: ApiKey }
  | Exclude<ChildKey, { kind: 'allowed' }>
  | { readonly kind: 'too_deep' | 'owner_gone' };

const MAX_ANCESTORS = 8;

/**
 * Creates a key; the plaintext is returned once and never stored. If a key is created by another key, its limits are
 * derived from those of the other key (`deriveChildKey`).
 */
export async function createApiKey(trx: AnyTransaction, input: NewApiKey): Promise<CreateApiKeyOutcome> {
  // The user cannot be deactivated until the transaction ends: a deactivation revokes the keys that exist at that time,
  // so no key may be created afterwards.
  if (!(await holdActiveUser(trx, input.userId))) return { kind: 'owner_gone' };
  if (input.parentId === undefined) return insertKey(trx, input, input, []);
  const parent = await findKey(trx, { accountId: input.accountId, userId: input.userId }, input.parentId);
  if (parent === undefined) return { kind: 'owner_gone' };
  if (parent.ancestor_ids.length >= MAX_ANCESTORS) return { kind: 'too_deep' };
  const child = deriveChildKey(readLimits(parent), input);
  if (child.kind !== 'allowed') return child;
  return insertKey(trx, input, child.limits, [...parent.ancestor_ids, parent.id]);
}

async function insertKey(
  trx: AnyTransaction,
  { accountId, userId, name, modelLimits = null, isSuspended = false }: NewApiKey,
  { scopes, expiresAt, runtimePrincipal }: KeyLimits,
  ancestorIds: string[],
): Promise<CreateApiKeyOutcome> {
  const key = buildApiKey(randomBytes);
  const row = await insertApiKey(trx, {
    id: newId(),
    account_id: accountId,
    user_id: userId,
    name,
    key_hash: hashCredential(key),
    hint: key.slice(-4),
    scopes: scopes === null ? null : [...new Set(scopes)],
    ancestor_ids: ancestorIds,
    runtime_principal_type: runtimePrincipal?.type ?? null,
    runtime_principal_id: runtimePrincipal?.id ?? null,
    runtime_principal_name: runtimePrincipal?.name ?? null,
    is_suspended: isSuspended,
    model_limits: modelLimits === null ? null : JSON.stringify(modelLimits),
    expires_at: expiresAt,
    last_used_at: null,
    revoked_at: null,
  });
  return { kind: 'created', key, record: withoutHash(row) };
}

function readLimits(row: ApiKeyRow): KeyLimits {
  const { runtime_principal_type: type, runtime_principal_id: id, runtime_principal_name: name } = row;
  return {
    scopes: row.scopes,
    expiresAt: row.expires_at,
    runtimePrincipal: type === null || id === null ? null : { type, id, name },
  };
}
