import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { Permission } from '@steward/contracts';
import type { AppError, Logger } from '@steward/runtime';
import type { Principal } from './principal.ts';

export type HttpMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** What a handler answers. `body` is sent as JSON; a `stream` writes the response itself (server-sent events, downloads). */
export type RouteResult =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | { readonly stream: (response: ServerResponse) => Promise<void> | void };

export interface RouteContext<Auth extends RouteAuth, Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The bytes the body was parsed from (empty without a body, and with `json-later`). */
  readonly rawBody: Buffer;
  /** With `json-later`, called once: reads the body, up to the route's limit. */
  readonly readBody: () => Promise<Buffer>;
  readonly headers: IncomingHttpHeaders;
  readonly principal: Auth extends 'bearer' ? Principal : undefined;
  readonly requestId: string;
  readonly remoteAddress: string;
  /** Aborted when the client is gone before the answer was sent. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
}

export type RouteAuth = 'bearer' | 'none';

/** How the request body is read. `json-later` leaves it unread: the handler reads and parses after checks of its own. */
export type BodyKind = 'json' | 'json-later' | 'form';

/** 4 MiB on content and trigger routes, 256 KiB elsewhere (decisions.md section 1). */
export const CONTENT_BODY_LIMIT_BYTES = 4 * 1024 * 1024;
export const DEFAULT_BODY_LIMIT_BYTES = 256 * 1024;

interface RouteAnswer {
  readonly description: string;
  readonly schema?: TSchema;
  /** Media type when it is not JSON. */
  readonly mediaType?: string;
}

export interface RouteDefinition<
  Auth extends RouteAuth = RouteAuth,
  Params extends TObject = TObject,
  Query extends TObject = TObject,
  Body extends TSchema = TSchema,
> {
  readonly method: HttpMethod;
  /** `/api/v1/things/{thing_id}`; parameters in braces. */
  readonly path: string;
  /** Further paths with the same parameters that answer the same. */
  readonly aliases?: readonly string[];
  readonly auth: Auth;
  /** All of them are needed. Empty or left out: any authenticated caller. */
  readonly permissions?: readonly Permission[];
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly bodyKind?: BodyKind;
  readonly bodyLimitBytes?: number;
  /** A missing body counts as `{}` (routes whose every field is optional). */
  readonly bodyOptional?: boolean;
  readonly responses: Readonly<Record<number, RouteAnswer>>;
  /** Called when a known caller is refused before the handler runs, for routes that audit every call; the answer follows. */
  readonly onRefused?: (context: RefusedContext) => Promise<void>;
  readonly handler: (
    context: RouteContext<Auth, Static<Params>, Static<Query>, Static<Body>>,
  ) => Promise<RouteResult> | RouteResult;
}

export interface RefusedContext {
  readonly principal: Principal;
  /** What the caller is answered: a missing permission, a body too large or not of the route's form. */
  readonly error: AppError;
  readonly requestId: string;
  /** The parsed body, not validated; undefined when it was refused before it was read. */
  readonly body: unknown;
}

/** A route whose types were checked by `defineRoute`; the table holds many of different types. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the table is heterogeneous; defineRoute typed each entry
export type Route = RouteDefinition<any, any, any, any>;

/** The single definition of a route: Express registration, validation and OpenAPI all come from it. */
export function defineRoute<
  const Auth extends RouteAuth,
  Params extends TObject = TObject,
  Query extends TObject = TObject,
  Body extends TSchema = TSchema,
>(definition: RouteDefinition<Auth, Params, Query, Body>): Route {
  return definition;
}
