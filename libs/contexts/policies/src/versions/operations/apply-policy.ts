import type { AnyTransaction } from '@steward/database';
import type { DocumentFormat } from '../../schema.ts';
import { diffDocuments, type DocumentChange } from '../../document/rules/diff-documents.ts';
import type { PolicyDocument } from '../../document/rules/policy-document.ts';
import type { PolicyVersion } from '../policy-version.ts';
import { requireVersion } from './read-policy.ts';
import { insertVersion, lockHead } from '../store/policy-version.store.ts';

export interface PolicyApplication {
  readonly accountId: string;
  readonly text: string;
  /** The content of the document, already checked. */
  readonly document: PolicyDocument;
  readonly format: DocumentFormat;
  readonly message: string | null;
  readonly createdBy: string | null;
  /** The version that the author saw (`If-Match`); undefined if any version is accepted. */
  readonly expectedVersion: number | undefined;
}

export type ApplyOutcome =
  | {
      /** `unchanged` means that nothing was done, because the same document is already in force. */
      readonly kind: 'applied' | 'unchanged';
      readonly version: PolicyVersion;
      readonly changes: readonly DocumentChange[];
    }
  | { readonly kind: 'stale'; readonly version: number };

/**
 * Puts a document into force, from the next decision on, in every process. Concurrent calls are serialized, and the
 * outcome is `stale` if the expected version is no longer in force.
 */
export async function applyPolicy(trx: AnyTransaction, application: PolicyApplication): Promise<ApplyOutcome> {
  const { accountId, text, document, format, message, createdBy, expectedVersion } = application;
  const head = await lockHead(trx, accountId);
  if (expectedVersion !== undefined && expectedVersion !== head) return { kind: 'stale', version: head };
  const current = await requireVersion(trx, accountId, head);
  if (current.text === text) return { kind: 'unchanged', version: current, changes: [] };
  const next = { accountId, version: head + 1, text, format, document, message, rolledBackTo: null, createdBy };
  const changes = diffDocuments(current.document, document);
  return { kind: 'applied', version: await insertVersion(trx, next), changes };
}
