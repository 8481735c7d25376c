import type { ServerNotice } from '@steward/mcp-client';
import type { OfferingServer } from '../tool.ts';

type Hear = (server: OfferingServer, notice: ServerNotice) => void;

/** Streams to servers. All clients of this process with the same subscription share one stream. */
export interface ServerListeners {
  /**
   * Passes the notifications of a server to `hear`.
   * @returns a function that stops the notifications
   */
  listen(server: OfferingServer, uris: readonly string[], hear: Hear): () => void;
  close(): Promise<void>;
}

interface Open {
  readonly hearing: Set<Hear>;
  readonly ending: AbortController;
}

export function createServerListeners(): ServerListeners {
  const open = new Map<string, Open>();
  const ended = new Set<Promise<void>>();

  function begin(key: string, server: OfferingServer, uris: readonly string[]): Open {
    const begun: Open = { hearing: new Set(), ending: new AbortController() };
    open.set(key, begun);
    const tell = (notice: ServerNotice): void => {
      for (const hear of begun.hearing) hear(server, notice);
    };
    const listening: Promise<void> = server
      .listen(uris, tell, begun.ending.signal)
      .catch(() => undefined)
      .finally(() => ended.delete(listening));
    ended.add(listening);
    return begun;
  }

  return {
    listen(server, uris, hear) {
      const key = JSON.stringify([server.key, ...uris]);
      const listening = open.get(key) ?? begin(key, server, uris);
      listening.hearing.add(hear);
      return () => {
        listening.hearing.delete(hear);
        if (listening.hearing.size > 0) return;
        listening.ending.abort();
        if (open.get(key) === listening) open.delete(key);
      };
    },
    async close() {
      for (const { ending } of open.values()) ending.abort();
      open.clear();
      await Promise.all(ended);
    },
  };
}
