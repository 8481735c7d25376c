import type { Principal } from '@steward/contracts';
import { APP_ROLES, type AnyDatabase, type Database } from '@steward/database';
import { countStatements, type Clone } from '@steward/database/testing';
import type { KyselyPlugin } from 'kysely';
import { createAuthenticate } from '../credentials/operations/create-authenticate.ts';
import { createKnownCallers } from '../credentials/operations/known-callers.ts';
import { EDITION, signer } from './open-identity.ts';

/**
 * Opens what a process uses to identify callers, with connections of its own.
 *
 * @param leases - database of its lease; default: the one that is read
 */
export function openKnownCallers(
  clone: Pick<Clone, 'connectAs'>,
  {
    selectRevisions,
    now = () => new Date(),
    onElsewhere,
  }: Partial<Parameters<typeof createAuthenticate>[0]> & { readonly onElsewhere?: () => void } = {},
  leases = clone,
) {
  const reading = clone.connectAs(APP_ROLES.apiGateway);
  const leasing = leases.connectAs(APP_ROLES.apiGateway);
  const reads = countStatements();
  const [frozen, slow] = [holdResults(), holdResults()];
  let suspendedMs = 0;
  const clock = { monotonic: () => performance.now() - suspendedMs, wall: () => Date.now() };
  const known = createKnownCallers({
    db: leasing.db.withPlugin(frozen.plugin) as AnyDatabase,
    onFailure: () => undefined,
    onElsewhere,
    clock,
  });
  const authenticate = createAuthenticate({
    db: reading.db.withPlugin(reads.plugin).withPlugin(slow.plugin) as AnyDatabase,
    signer,
    edition: EDITION,
    now,
    selectRevisions,
    knownCallers: known,
    findRunningAgents: () => Promise.resolve([]),
  });
  const close = () => Promise.all([reading, leasing].map((database: Database) => database.close()));
  return {
    ask: async (key: string): Promise<Principal | undefined> => authenticate(key, { mayReuse: true }),
    /** Asks until the caller is known; returns it as it is used again. */
    async askUntilKnown(key: string): Promise<Principal | undefined> {
      for (;;) {
        const before = reads.count();
        const principal = await authenticate(key, { mayReuse: true });
        if (reads.count() === before) return principal;
      }
    },
    countReads: reads.count,
    /** The process gets no result of the statements about its lease. */
    freeze: frozen.begin,
    thaw: frozen.end,
    /** Results of reads are on their way for a long time. */
    slowReads: slow.begin,
    endReads: slow.end,
    countSlowReads: slow.count,
    /** The machine was suspended: its monotonic clock stood still meanwhile. */
    suspend: (milliseconds: number) => void (suspendedMs += milliseconds),
    loseConnection: () => known.lease.drop(),
    look: () => known.lease.look(),
    /** Ends the process without giving back its lease. */
    async kill() {
      known.lease.drop();
      frozen.end();
      slow.end();
      await close();
    },
    async stop() {
      frozen.end();
      slow.end();
      await known.lease.stop();
      await close();
    },
  };
}

function holdResults() {
  let held: PromiseWithResolvers<void> | undefined;
  let waiting = 0;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (held !== undefined) waiting += 1;
      await held?.promise;
      return result;
    },
  };
  return {
    plugin,
    /** Returns how many results have been held. */
    count: () => waiting,
    begin: () => void (held ??= Promise.withResolvers()),
    end() {
      held?.resolve();
      held = undefined;
    },
  };
}
