import { LRUCache } from 'lru-cache';
import type { AnyDatabase } from '@steward/database';
import { requireVersion } from '../../versions/operations/read-policy.ts';
import { findHead } from '../../versions/store/policy-version.store.ts';
import { compilePolicy, type CompiledPolicy } from '../rules/compile-policy.ts';

/** Reader of the policy in force, which it returns in compiled form. */
export interface PolicyReader {
  /**
   * Returns the policy in force. Reads the version number from the database, unless the caller has just read it
   * (`selectPolicyVersion`), so that a change applies from the next decision on, in every process.
   */
  readonly read: (db: AnyDatabase, accountId: string, knownVersion?: number) => Promise<CompiledPolicy>;
}

/** Number of accounts whose compiled document a process caches: a document with 200 rules takes about 200 KB. */
const MAX_COMPILED = 500;

export function createPolicyReader(): PolicyReader {
  const compiled = new LRUCache<string, CompiledPolicy>({ max: MAX_COMPILED });
  return {
    async read(db, accountId, knownVersion) {
      const version = knownVersion ?? (await findHead(db, accountId));
      const known = compiled.get(accountId);
      if (known?.version === version) return known;
      const { document } = await requireVersion(db, accountId, version);
      const policy = compilePolicy(document, version);
      compiled.set(accountId, policy);
      return policy;
    },
  };
}
