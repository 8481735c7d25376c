import type { Client, PriorDiscovery } from '@modelcontextprotocol/client';
import { LRUCache } from 'lru-cache';
import type { ToolServerTarget } from './tool-server-client.ts';

/** A conversation with a server on behalf of one caller. */
export interface Connection {
  readonly client: Client;
  /** Which revision it speaks: the next conversation need not ask. */
  readonly era: PriorDiscovery;
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
  open(target: ToolServerTarget, caller: string): Promise<Connection>;
  forget(target: ToolServerTarget, caller: string): void;
  close(): Promise<void>;
}

const MOST_KEPT = 5000;
/** Longer than any call: none is ended that is under way. */
const IDLE_MS = 15 * 60_000;
/** A server that was upgraded is asked again after that. */
const ERA_MS = 3_600_000;

export function createConnections(connect: (opening: Opening) => Promise<Connection>): Connections {
  const eras = new LRUCache<string, PriorDiscovery>({ max: MOST_KEPT, ttl: ERA_MS });
  const ending = new Set<Promise<void>>();
  const kept = new LRUCache<string, Promise<Connection>>({
    max: MOST_KEPT,
    ttl: IDLE_MS,
    ttlAutopurge: true,
    updateAgeOnGet: true,
    dispose(opened) {
      const ended: Promise<void> = opened
        .then((connection) => connection.end())
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

  return {
    open(target, caller) {
      const key = keyOf(target, caller);
      const known = kept.get(key);
      if (known !== undefined) return known;
      const opened = begin(target, caller);
      kept.set(key, opened);
      opened.catch(() => {
        // It may speak another revision by now.
        eras.delete(target.key);
        if (kept.peek(key) === opened) kept.delete(key);
      });
      return opened;
    },
    forget(target, caller) {
      eras.delete(target.key);
      kept.delete(keyOf(target, caller));
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
