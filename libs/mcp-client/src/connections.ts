import type { Client, PriorDiscovery } from '@modelcontextprotocol/client';
import { LRUCache } from 'lru-cache';
import type { ToolServerTarget } from './tool-server-client.ts';

/** A conversation with a server on behalf of one caller. */
export interface Connection {
  readonly client: Client;
  /** Which revision it speaks: the next conversation need not ask. */
  readonly era: PriorDiscovery;
  /** Times it failed one after the other. */
  failures: number;
  /** From which level on the server was asked for log messages. */
  logLevel?: string;
  /** From now on what is read is of one list. */
  readonly beginList: () => void;
  end(): Promise<void>;
}

/** What a conversation is begun with. */
export interface Opening {
  readonly target: ToolServerTarget;
  readonly caller: string;
  /** What it spoke the last time; undefined: that is asked. */
  readonly prior: PriorDiscovery | undefined;
}

export interface Connections {
  /**
   * Works in the conversation of a caller, and ends none that is worked in.
   * @param work - Told whether the conversation was there before
   */
  use<T>(
    target: ToolServerTarget,
    caller: string,
    work: (connection: Connection, isKept: boolean) => Promise<T>,
  ): Promise<T>;
  /** The next piece of work begins a new one, unless that was done. */
  forget(target: ToolServerTarget, caller: string, connection: Connection): void;
  close(): Promise<void>;
}

const MOST_KEPT = 5000;
/** Longer than any call: none is ended that is under way. */
const IDLE_MS = 15 * 60_000;
/** A server that was upgraded is asked again after that. */
const ERA_MS = 3_600_000;

interface Opened {
  readonly connection: Promise<Connection>;
  /** What works in it. */
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
        // It may speak another revision by now.
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
