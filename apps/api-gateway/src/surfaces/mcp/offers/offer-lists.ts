import type { Offer, OfferKind } from '@steward/mcp-client';
import type { Logger } from '@steward/process';
import { LRUCache } from 'lru-cache';
import type { OfferingServer } from '../tool.ts';

export interface ServerOffers {
  readonly server: OfferingServer;
  readonly offers: readonly Offer[];
}

export interface OfferLists {
  /**
   * Returns the list of each server, in the order of the servers; the list of a server that returns an error or does
   * not respond in time is empty.
   */
  list(servers: readonly OfferingServer[], kind: OfferKind): Promise<readonly ServerOffers[]>;
  /** Discards the cached lists, so that they are requested again. */
  forget(key: string): void;
}

/** Time for which a list is cached. */
const KEPT_MS = 30_000;
/** Time for which a failure is cached; the list is then requested again. */
const FAILED_MS = 5_000;
/** Time after which a slow server is omitted from the response. */
const WAIT_MS = 10_000;
/** Maximum size of cached descriptions, of all accounts together. */
const MAX_KEPT = 32 * 1024 * 1024;

interface Kept {
  readonly offers: readonly Offer[];
  readonly size: number;
}

/** Creates the cache of lists. Servers do not know the caller, so a list is the same for all callers of the account. */
export function createOfferLists({ logger }: { readonly logger: Pick<Logger, 'info'> }): OfferLists {
  const kept = new LRUCache<string, Kept>({ maxSize: MAX_KEPT, sizeCalculation: ({ size }) => 1 + size });
  const asking = new Map<string, Promise<readonly Offer[]>>();

  async function read(server: OfferingServer, kind: OfferKind): Promise<readonly Offer[]> {
    const key = `${server.key} ${kind}`;
    const known = kept.get(key)?.offers ?? asking.get(key);
    if (known !== undefined) return known;
    const asked = ask(server, kind)
      .then(({ offers, lastsMs }) => {
        kept.set(key, { offers, size: JSON.stringify(offers).length }, { ttl: lastsMs });
        return offers;
      })
      .finally(() => asking.delete(key));
    asking.set(key, asked);
    return asked;
  }

  async function ask(server: OfferingServer, kind: OfferKind) {
    try {
      const { offers } = await server.offers(kind, AbortSignal.timeout(WAIT_MS));
      return { offers, lastsMs: KEPT_MS };
    } catch (error) {
      logger.info('mcp.offers_not_listed', { tool_server: server.name, kind, error });
      return { offers: [], lastsMs: FAILED_MS };
    }
  }

  return {
    list: (servers, kind) => Promise.all(servers.map(async (server) => ({ server, offers: await read(server, kind) }))),
    forget(key) {
      for (const kind of ['resources', 'resourceTemplates', 'prompts']) kept.delete(`${key} ${kind}`);
    },
  };
}
