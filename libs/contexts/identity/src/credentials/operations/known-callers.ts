import { LRUCache } from 'lru-cache';
import type { Principal } from '@steward/contracts';
import { systemCallerClock } from '../caller-clock.ts';
import { CallerLease, type CallerLeaseDeps } from './caller-lease.ts';

/** Callers that a process remembers at most. */
const MAX_CALLERS = 10_000;
/** After this time, a caller is read again, which also records the use of its key. */
const MAX_AGE_MS = 5000;

/** A caller as it was read, with the time from which it has to be read again whatever happens. */
export interface ReadCaller {
  readonly principal: Principal;
  readonly expiresAt: Date | null;
}

/** A read whose results may be kept. */
interface KeptRead {
  /** Lease that the database must hold from which the results come. */
  readonly leaseId: string;
  /** Keeps a result, if it is still current. */
  readonly keep: (credentialHash: string, caller: ReadCaller) => void;
}

/** The callers that this process has read and may use again (ACC-54), by the hash of the credential. */
export interface KnownCallers {
  /** Returns a caller for which the database would return the same now. */
  find(credentialHash: string, now: Date): Principal | undefined;
  /** Begins a read; undefined if its results may not be kept. */
  beginRead(): KeptRead | undefined;
  readonly lease: Pick<CallerLease, 'look' | 'drop' | 'stop'>;
}

export function createKnownCallers(deps: Omit<CallerLeaseDeps, 'onChanged'>): KnownCallers {
  const { clock = systemCallerClock } = deps;
  const callers = new LRUCache<string, ReadCaller & { readonly keptAt: number }>({ max: MAX_CALLERS });
  const lease = new CallerLease({ ...deps, onChanged: forget });

  function forget(accountIds: readonly string[] | undefined): void {
    if (accountIds === undefined) return callers.clear();
    const changed = new Set(accountIds);
    for (const [hash, { principal }] of callers) if (changed.has(principal.accountId)) callers.delete(hash);
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
          if (read.isUnchanged(caller.principal.accountId)) callers.set(hash, { ...caller, keptAt });
        },
      };
    },
    lease,
  };
}
