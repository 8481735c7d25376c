export interface PlayedAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A hook as it was registered. */
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

/** Undefined: the tracker knows no such path. */
export type PlayTracker = (request: PlayedRequest) => PlayedAnswer | undefined;

/** A path that a request has, with what stands in the place of `*`. */
export function matchPath(path: string, pattern: string): string[] | undefined {
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '([^/]+)');
  const found = new RegExp(`^${escaped}$`).exec(path);
  return found?.slice(1).map(decodeURIComponent);
}
