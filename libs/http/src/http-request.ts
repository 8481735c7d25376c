import type { IncomingMessage } from 'node:http';
import type { ParsedUrlQuery } from 'node:querystring';

/** A request whose path was found. */
export interface HttpRequest {
  readonly message: IncomingMessage;
  /** Decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: ParsedUrlQuery;
  /** Address of the client, or of the last sender that is no trusted proxy. */
  readonly remoteAddress: string;
}
