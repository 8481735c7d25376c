import type { AnyTransaction } from '@steward/database';
import { diffDocuments, type DocumentChange } from '../../document/rules/diff-documents.ts';
import type { PolicyVersion } from '../policy-version.ts';
import { readVersion, requireVersion } from './read-policy.ts';
import { insertVersion, lockHead } from '../store/policy-version.store.ts';

export interface Rollback {
  readonly accountId: string;
  /** The version whose content is applied again. */
  readonly version: number;
  readonly message: string | null;
  readonly createdBy: string | null;
  readonly expectedVersion: number | undefined;
}

export type RollbackOutcome =
  | {
      readonly kind: 'applied';
      readonly version: PolicyVersion;
      readonly text: string;
      readonly changes: readonly DocumentChange[];
    }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'stale'; readonly version: number };

/** Adds a new version with exactly the document of an old one: existing versions are never removed. */
export async function rollbackPolicy(trx: AnyTransaction, rollback: Rollback): Promise<RollbackOutcome> {
  const { accountId, message, createdBy, expectedVersion } = rollback;
  const head = await lockHead(trx, accountId);
  const old = await readVersion(trx, accountId, rollback.version);
  if (old === undefined) return { kind: 'not_found' };
  if (expectedVersion !== undefined && expectedVersion !== head) return { kind: 'stale', version: head };
  const { text, format, document, version: rolledBackTo } = old;
  const next = { accountId, version: head + 1, text, format, document, message, rolledBackTo, createdBy };
  const changes = diffDocuments((await requireVersion(trx, accountId, head)).document, document);
  return { kind: 'applied', version: await insertVersion(trx, next), text, changes };
}
