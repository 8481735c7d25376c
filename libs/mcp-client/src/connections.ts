import type { Client, PriorDiscovery } from '@modelcontextprotocol/client';
import { LRUCache } from 'lru-cache';
import type { ToolServerTarget } from './tool-server-client.ts';

/** A conversation with a server for one caller. */
export interface Connection {
  readonly client: Client;
  /**
   * Protocol revision of the server; it is reused, so that the next conversation does not have to discover the
   * revision.
   */
  readonly era: PriorDiscovery;
  /** Number of consecutive failures. */
  failures: number;
  /** Log level that was requested from the server. */
  logLevel?: string;
  /** Resets the byte count for a new list. */
  readonly beginList: () => void;
  end(): Promise<void>;
}

/** Parameters of a new conversation. */
export interface Opening {
  readonly target: ToolServerTarget;
  readonly caller: string;
  /** Result of the previous discovery; undefined if discovery is needed. */
  readonly prior: PriorDiscovery | undefined;
}

export interface Connections {
  /**
   * Runs work in the conversation of a caller; a conversation is not ended while it is in use.
   * @param work - receives whether the conversation already existed
   */
  use<T>(
    target: ToolServerTarget,
    caller: string,
    work: (connection: Connection, isKept: boolean) => Promise<T>,
  ): Promise<T>;
  /**
   * Discards the connection and the discovered protocol revision, so that the next call of `use` opens a new
   * connection. A connection that has already replaced the given one is kept.
   */
  forget(target: ToolServerTarget, caller: string, connection: Connection): void;
  close(): Promise<void>;
}

const MOST_KEPT = 5000;
/**
 * Idle time in milliseconds after which a conversation is ended; longer than any call, so that no pending call is lost.
 */
const IDLE_MS = 15 * 60_000;
/** Time in milliseconds after which the revision is discovered again, since the server may have been upgraded. */
const ERA_MS = 3_600_000;

interface Opened {
  readonly connection: Promise<Connection>;
  /** Pending work in the conversation. */
  readonly works: Set<Promise<unknown>>;
}

export function createConnections(connect: (opening: Opening) => Promise<Connection>): Connections {
  const eras = new LRUCache<string, PriorDiscovery>({ max: MOST_KEPT, ttl: ERA_MS });
  const ending = new Set<Promise<void>>();
  const known = new WeakMap<Connection, Opened>();
  const kept = new LRUCache<string, Opened>({
    max: MOST_KEPT,
    ttl: IDLE_MS,
    ttlAutopurge: true,
    updateAgeOnGet: true,
    dispose({ connection, works }) {
      const ended: Promise<void> = connection
        .then(async (opened) => {
          await Promise.allSettled(works);
          await opened.end();
        })
        .catch(() => undefined)
        .finally(() => ending.delete(ended));
      ending.add(ended);
    },
  });

  async function begin(target: ToolServerTarget, caller: string): Promise<Connection> {
    const connection = await connect({ target, caller, prior: eras.get(target.key) });
    eras.set(target.key, connection.era);
    return connection;
  }

  function open(target: ToolServerTarget, caller: string): Opened {
    const key = keyOf(target, caller);
    const opened: Opened = { connection: begin(target, caller), works: new Set() };
    kept.set(key, opened);
    opened.connection.then(
      (connection) => known.set(connection, opened),
      () => {
        // The known revision is discarded: the connection may have failed because the server now has another one.
        eras.delete(target.key);
        if (kept.peek(key) === opened) kept.delete(key);
      },
    );
    return opened;
  }

  return {
    async use(target, caller, work) {
      const before = kept.get(keyOf(target, caller));
      const opened = before ?? open(target, caller);
      const working = opened.connection.then((connection) => work(connection, before !== undefined));
      opened.works.add(working);
      return working.finally(() => opened.works.delete(working));
    },
    forget(target, caller, connection) {
      eras.delete(target.key);
      const key = keyOf(target, caller);
      if (kept.peek(key) === known.get(connection)) kept.delete(key);
    },
    async close() {
      kept.clear();
      await Promise.all(ending);
    },
  };
}

function keyOf(target: ToolServerTarget, caller: string): string {
  return JSON.stringify([target.key, caller]);
}
