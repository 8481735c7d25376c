import { serveLocally } from '../../servers/serve-locally.ts';

/** Counts the reports of agents: each run requests a different path. */
export interface Counter {
  readonly origin: string;
  count(path: string): number;
  /** Returns the paths that begin with this prefix, with their counts. */
  list(prefix: string): ReadonlyMap<string, number>;
  close(): Promise<void>;
}

export async function startCounter(): Promise<Counter> {
  const counts = new Map<string, number>();
  const server = await serveLocally((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    counts.set(path, (counts.get(path) ?? 0) + 1);
    response.writeHead(204).end();
  });
  return {
    origin: server.origin,
    count: (path) => counts.get(path) ?? 0,
    list: (prefix) => new Map([...counts].filter(([path]) => path.startsWith(prefix))),
    close: () => server.close(),
  };
}
