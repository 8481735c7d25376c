import type { IncomingMessage } from 'node:http';
import { parse, type ParsedUrlQuery } from 'node:querystring';

/** A request whose route is known: what of it does not depend on who found the route. */
export interface HttpRequest {
  readonly message: IncomingMessage;
  /** Decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** Only for routes that take one: most requests have none, and parsing nothing costs too. */
  readQuery(): ParsedUrlQuery;
  readRemoteAddress(): string;
}

/** The parts of a request target that needs no decoding; undefined for every other one. */
export interface PlainTarget {
  readonly path: string;
  readonly query: string;
}

/** No escapes, no empty segments, no full URL: what nearly every client sends. */
const PLAIN = /^((?:\/[\w.~-]+)+)(?:\?([^#\s]*))?$/;

export function readPlainTarget(url: string): PlainTarget | undefined {
  const match = PLAIN.exec(url);
  return match?.[1] === undefined ? undefined : { path: match[1], query: match[2] ?? '' };
}

/** As Express’ "simple" query parser does it. */
export function parseQuery(query: string): ParsedUrlQuery {
  return parse(query);
}
