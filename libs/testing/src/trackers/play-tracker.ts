export interface PlayedAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A registered webhook. */
export interface PlayedHook {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
  readonly sent: Readonly<Record<string, unknown>>;
}

export interface PlayedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
  readonly hooks: Map<string, PlayedHook>;
  readonly origin: string;
}

/** Returns the response of an imitated tracker; undefined if the tracker does not have this path. */
export type PlayTracker = (request: PlayedRequest) => PlayedAnswer | undefined;

/** Matches a path against a pattern; returns the segments in place of `*`, or undefined if it does not match. */
export function matchPath(path: string, pattern: string): string[] | undefined {
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '([^/]+)');
  const found = new RegExp(`^${escaped}$`).exec(path);
  return found?.slice(1).map(decodeURIComponent);
}
