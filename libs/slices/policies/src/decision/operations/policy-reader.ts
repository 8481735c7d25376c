import { LRUCache } from 'lru-cache';
import type { AnyDatabase } from '@steward/database';
import { requireVersion } from '../../versions/operations/read-policy.ts';
import { findHead } from '../../versions/store/policy-version.store.ts';
import { compilePolicy, type CompiledPolicy } from '../rules/compile-policy.ts';

/** Reads the policy in force, compiled. */
export interface PolicyReader {
  /** Asks the database for the version each time, so that a change holds from the next decision of every process on. */
  readonly read: (db: AnyDatabase, accountId: string) => Promise<CompiledPolicy>;
}

/** Accounts whose compiled document a process keeps: one of 200 rules takes about 200 KB. */
const MAX_COMPILED = 500;

export function createPolicyReader(): PolicyReader {
  const compiled = new LRUCache<string, CompiledPolicy>({ max: MAX_COMPILED });
  return {
    async read(db, accountId) {
      const version = await findHead(db, accountId);
      const known = compiled.get(accountId);
      if (known?.version === version) return known;
      const { document } = await requireVersion(db, accountId, version);
      const policy = compilePolicy(document, version);
      compiled.set(accountId, policy);
      return policy;
    },
  };
}
