import { setTimeout as sleep } from 'node:timers/promises';
import type { AnyDatabase } from '@steward/database';
import type { ServerNotice } from '@steward/mcp-client';
import { readCatalogueStamp } from '@steward/tool-servers';
import { findResource } from '../offers/find-offer.ts';
import type { OfferLists } from '../offers/offer-lists.ts';
import type { McpCaller, OfferingServer } from '../tool.ts';
import type { ServerListeners } from './server-listeners.ts';

export type Change =
  | { readonly kind: 'tools' | 'prompts' | 'resources' }
  | { readonly kind: 'updated'; readonly uri: string; readonly params: Readonly<Record<string, unknown>> };

export interface Following {
  readonly caller: McpCaller;
  /** Returns the URIs that the client uses for the resources to which it subscribed; called repeatedly. */
  readonly uris: () => Promise<readonly string[]>;
  readonly hear: (change: Change) => void;
  readonly signal: AbortSignal;
}

export interface FeedDeps {
  readonly db: AnyDatabase;
  readonly offerLists: OfferLists;
  readonly listeners: ServerListeners;
  /** Returns the servers whose resources the caller may read; undefined if the caller is no longer authorized. */
  readonly judge: (caller: McpCaller) => Promise<readonly OfferingServer[] | undefined>;
}

const LOOK_EVERY_MS = 2_000;
/** Number of intervals after which a caller is checked even without changes. */
const JUDGED_EVERY_LOOKS = 15;
/** Time within which repeated notifications of a server are merged. */
const GATHERED_MS = 250;

/**
 * Reports changes while a client listens: changes to the account's tools that any process has detected, changes to the
 * servers that the caller may use, and notifications of these servers about prompts and resources. Ends when the client
 * disconnects, or is no longer authorized: a stopped agent gets no notifications.
 */
export async function followChanges(deps: FeedDeps, following: Following): Promise<void> {
  const { caller, signal, hear } = following;
  const pending = createPending();
  const heard = createHeard(deps, pending);
  let seen: { readonly stamp: string; readonly uris: string; readonly keys: string } | undefined;
  try {
    for (let look = 0; !signal.aborted; look += 1) {
      const [stamp, uris] = await Promise.all([readStamp(deps, caller), following.uris()]);
      if (seen !== undefined && stamp !== seen.stamp) pending.note({ kind: 'tools' });
      if (pending.isAny() || seen?.uris !== uris.join('\n') || look % JUDGED_EVERY_LOOKS === 0) {
        const servers = await deps.judge(caller);
        if (servers === undefined) return;
        const keys = servers.map(({ key }) => key).join();
        if (seen !== undefined && keys !== seen.keys)
          for (const kind of ['prompts', 'resources'] as const) pending.note({ kind });
        await heard.listenTo(servers, uris);
        for (const change of pending.take()) if (change.kind !== 'updated' || uris.includes(change.uri)) hear(change);
        seen = { stamp, uris: uris.join('\n'), keys };
      }
      await pending.rest(signal);
    }
  } finally {
    heard.end();
  }
}

const readStamp = ({ db }: FeedDeps, { principal }: McpCaller): Promise<string> =>
  readCatalogueStamp(db, principal.accountId);

/** Creates the list of pending notifications, which are sent soon after the first one. */
function createPending() {
  const changes = new Map<string, Change>();
  let wake = new AbortController();
  return {
    note(change: Change): void {
      changes.set(change.kind === 'updated' ? `updated ${change.uri}` : change.kind, change);
      wake.abort();
    },
    isAny: () => changes.size > 0,
    take(): readonly Change[] {
      const taken = [...changes.values()];
      changes.clear();
      wake = new AbortController();
      return taken;
    },
    async rest(signal: AbortSignal): Promise<void> {
      await sleep(GATHERED_MS, undefined, { signal }).catch(() => undefined);
      const until = AbortSignal.any([signal, wake.signal]);
      await sleep(LOOK_EVERY_MS - GATHERED_MS, undefined, { signal: until }).catch(() => undefined);
    },
  };
}

/**
 * Creates the component that manages the streams to the servers whose notifications are received. Each stream includes
 * those resources of the server to which the client subscribed.
 */
function createHeard({ offerLists, listeners }: FeedDeps, pending: ReturnType<typeof createPending>) {
  const stops = new Map<string, () => void>();

  /** Returns, for each server, a map from its own URIs of the resources to the URIs that the client uses. */
  async function assign(servers: readonly OfferingServer[], uris: readonly string[]) {
    const byServer = new Map(servers.map((server) => [server, new Map<string, string>()]));
    for (const uri of uris) {
      // For a resource that no server has, or that several may have, no notifications are sent.
      const found = await findResource(offerLists, servers, uri).catch(() => undefined);
      if (found !== undefined) byServer.get(found.server)?.set(found.own, uri);
    }
    return byServer;
  }

  return {
    async listenTo(servers: readonly OfferingServer[], uris: readonly string[]): Promise<void> {
      const wanted = new Set<string>();
      for (const [server, names] of await assign(servers, uris)) {
        const own = [...names.keys()].sort();
        const key = JSON.stringify([server.key, ...own, ...names.values()]);
        wanted.add(key);
        if (stops.has(key)) continue;
        const hear = (_server: OfferingServer, notice: ServerNotice): void => {
          const change = readChange(notice, names);
          if (change?.kind === 'prompts' || change?.kind === 'resources') offerLists.forget(server.key);
          if (change !== undefined) pending.note(change);
        };
        stops.set(key, listeners.listen(server, own, hear));
      }
      for (const [key, stop] of stops) {
        if (wanted.has(key)) continue;
        stop();
        stops.delete(key);
      }
    },
    end(): void {
      for (const stop of stops.values()) stop();
    },
  };
}

/**
 * Converts a server's notification about prompts or resources to a change. Notifications about tools are not converted:
 * changes to tools are reported after the tools were refreshed.
 * @param names - the client's URIs of the resources, keyed by the server's URIs
 */
function readChange({ method, params = {} }: ServerNotice, names: ReadonlyMap<string, string>): Change | undefined {
  if (method === 'notifications/prompts/list_changed') return { kind: 'prompts' };
  if (method === 'notifications/resources/list_changed') return { kind: 'resources' };
  const uri = method === 'notifications/resources/updated' ? names.get(String(params['uri'])) : undefined;
  if (uri === undefined) return undefined;
  const { uri: _own, _meta, ...rest } = params;
  return { kind: 'updated', uri, params: rest };
}
