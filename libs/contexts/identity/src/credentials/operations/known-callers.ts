import { LRUCache } from 'lru-cache';
import type { Principal } from '@steward/contracts';
import { systemCallerClock } from '../caller-clock.ts';
import { CallerLease, type CallerLeaseDeps } from './caller-lease.ts';

/** Maximum number of callers that a process remembers. */
const MAX_CALLERS = 10_000;
/** After this time, a caller is read again; a read also records the use of the key, at most once a minute. */
const MAX_AGE_MS = 5000;

/** A caller as it was read, and the time at which the key expires; null if it does not expire. */
export interface ReadCaller {
  readonly principal: Principal;
  readonly expiresAt: Date | null;
}

/** A read whose results may be kept. */
interface KeptRead {
  /** Lease that must be in the database from which the results are read. */
  readonly leaseId: string;
  /** Keeps a result, if it is still current. */
  readonly keep: (credentialHash: string, caller: ReadCaller) => void;
  /** Called if the database that was read does not hold the lease. */
  readonly noteElsewhere: () => void;
}

/** The callers that this process has read and may use again (ACC-54), by the hash of the credential. */
export interface KnownCallers {
  /**
   * Returns the kept caller to whom the credential belongs, if the database would still return the same caller and the
   * caller was read at most `MAX_AGE_MS` ago; otherwise undefined.
   */
  find(credentialHash: string, now: Date): Principal | undefined;
  /** Begins a read; undefined if its results may not be kept. */
  beginRead(): KeptRead | undefined;
  readonly lease: Pick<CallerLease, 'look' | 'drop' | 'stop'>;
}

export function createKnownCallers(deps: Omit<CallerLeaseDeps, 'onChanged'>): KnownCallers {
  const { clock = systemCallerClock } = deps;
  const hashesOf = new Map<string, Set<string>>();
  const callers = new LRUCache<string, ReadCaller & { readonly keptAt: number }>({
    max: MAX_CALLERS,
    dispose: ({ principal: { accountId } }, hash) => {
      const hashes = hashesOf.get(accountId);
      hashes?.delete(hash);
      if (hashes?.size === 0) hashesOf.delete(accountId);
    },
  });
  const lease = new CallerLease({ ...deps, onChanged: forget });

  function forget(accountIds: readonly string[] | undefined): void {
    if (accountIds === undefined) callers.clear();
    else
      for (const accountId of accountIds) for (const hash of [...(hashesOf.get(accountId) ?? [])]) callers.delete(hash);
  }

  function keep(hash: string, caller: ReadCaller, keptAt: number): void {
    // The cache may already contain this hash: replacing its entry removes the hash from the index, so the hash is
    // added to the index afterwards.
    callers.set(hash, { ...caller, keptAt });
    const { accountId } = caller.principal;
    const hashes = hashesOf.get(accountId) ?? new Set<string>();
    hashesOf.set(accountId, hashes.add(hash));
  }

  return {
    find(hash, now) {
      if (!lease.use()) return undefined;
      const known = callers.get(hash);
      if (known === undefined || (known.expiresAt !== null && known.expiresAt <= now)) return undefined;
      return clock.monotonic() - known.keptAt <= MAX_AGE_MS ? known.principal : undefined;
    },
    beginRead() {
      const keptAt = clock.monotonic();
      const read = lease.beginRead();
      if (read === undefined) return undefined;
      return {
        leaseId: read.leaseId,
        keep: (hash, caller) => {
          if (read.isUnchanged(caller.principal.accountId)) keep(hash, caller, keptAt);
        },
        noteElsewhere: () => lease.noteElsewhere(read.leaseId),
      };
    },
    lease,
  };
}
