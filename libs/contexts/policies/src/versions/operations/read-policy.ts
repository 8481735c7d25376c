import type { AnyDatabase } from '@steward/database';
import { renderDocument } from '../../document/rules/document-text.ts';
import { DEFAULT_DOCUMENT } from '../../document/rules/policy-document.ts';
import type { FullPolicyVersion } from '../policy-version.ts';
import { findHead, findVersion } from '../store/policy-version.store.ts';

/** Version that is in effect until a policy is applied. */
export const DEFAULT_VERSION: FullPolicyVersion = {
  version: 0,
  format: 'yaml',
  message: null,
  rolledBackTo: null,
  rules: 0,
  createdBy: null,
  createdAt: null,
  text: renderDocument(DEFAULT_DOCUMENT),
  document: DEFAULT_DOCUMENT,
};

/** Returns the version in force. */
export async function readPolicy(db: AnyDatabase, accountId: string): Promise<FullPolicyVersion> {
  return requireVersion(db, accountId, await findHead(db, accountId));
}

/**
 * Returns a version that is or was in force.
 * @throws if it does not exist
 */
export async function requireVersion(db: AnyDatabase, accountId: string, version: number): Promise<FullPolicyVersion> {
  const found = await readVersion(db, accountId, version);
  if (found === undefined) throw new Error(`version ${version} of a policy was in force and does not exist`);
  return found;
}

/** Returns a version, or undefined if the version does not exist; version 0 is the default document. */
export async function readVersion(
  db: AnyDatabase,
  accountId: string,
  version: number,
): Promise<FullPolicyVersion | undefined> {
  return version === 0 ? DEFAULT_VERSION : findVersion(db, accountId, version);
}
