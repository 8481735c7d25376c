import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { AppError, ErrorCode, Permission, Principal, RestrictedKind } from '@steward/contracts';
import type { Logger } from '@steward/process';
import { completeAudit, type AuditDeclaration, type BuildAudit, type DeclaredAudit } from './audit-fact.ts';
import type { BytesAnswer, HtmlAnswer, JsonAnswer, OnSent, SourceAnswer } from './send-answer.ts';

export type HttpMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

/**
 * Result of a handler. `body` is sent as JSON, `html` as a page without scripts, and `bytes` unchanged; `source` is
 * forwarded as it arrives. A `stream` writes the response itself (server-sent events, downloads).
 */
export type RouteResult = JsonAnswer | HtmlAnswer | BytesAnswer | SourceAnswer | OwnAnswer;

export interface OwnAnswer {
  readonly stream: (response: ServerResponse) => Promise<void> | void;
}

export interface RouteContext<Auth extends RouteAuth, Params, Query, Body, Audit = DeclaredAudit | undefined> {
  readonly params: Params;
  readonly query: Query;
  /** Raw query string including the "?", or "", for routes that forward the request. */
  readonly search: string;
  readonly body: Body;
  /** Bytes of the body; empty if there is no body, or if the body kind is `json-later` or `stream`. */
  readonly rawBody: Buffer;
  /** Reads the body, up to the route's limit. It may be called only once, and only if the body kind is `json-later`. */
  readonly readBody: () => Promise<Buffer>;
  /**
   * Yields the decompressed body part by part, up to the route's limit. It may be called only once, and only if the
   * body kind is `stream`.
   */
  readonly readParts: () => AsyncIterable<Buffer>;
  readonly headers: IncomingHttpHeaders;
  readonly principal: Auth extends 'bearer' ? Principal : Auth extends 'optional' ? Principal | undefined : undefined;
  readonly requestId: string;
  /** W3C Trace Context of this request, for the rows that it writes (`transact`). */
  readonly traceparent: string;
  readonly remoteAddress: string;
  /** Signal that is aborted if the client disconnects before the response has been sent. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /**
   * Builds the row declared by the route's `audit`; the handler writes it in the same transaction as the recorded
   * change.
   */
  readonly audit: AuditOf<Auth, Audit>;
}

type AuditOf<Auth extends RouteAuth, Audit> = Audit extends DeclaredAudit ? BuildAudit<Auth, Audit> : undefined;

/**
 * Credential that a route requires. `optional`: a caller without a credential gets less data; an invalid credential is
 * rejected as on any other route.
 */
export type RouteAuth = 'bearer' | 'optional' | 'none';

/**
 * Ways in which the request body is read. `json-later` leaves it unread: the handler reads and parses it after its own
 * checks. `raw` passes the bytes (`rawBody`) without parsing them; only their number is checked. `stream` passes the
 * parts as they arrive (`readParts`), for bodies that must not be held in memory.
 */
export type BodyKind = 'json' | 'json-later' | 'form' | 'raw' | 'stream';

/** Maximum size of a body in bytes: 4 MiB on content and trigger routes, 256 KiB by default (LIM-13). */
export const CONTENT_BODY_LIMIT_BYTES = 4 * 1024 * 1024;
export const DEFAULT_BODY_LIMIT_BYTES = 256 * 1024;

type RouteAnswer = {
  readonly description: string;
  /** Media type of the response, if it is not JSON. */
  readonly mediaType?: string;
  /** Further media types that clients can request. */
  readonly otherMediaTypes?: readonly string[];
} & (
  | { readonly schema?: undefined }
  | {
      readonly schema: TSchema;
      /**
       * Name of the schema in the OpenAPI document, and therefore in generated clients; for a page, the name of its
       * items.
       */
      readonly name: string;
    }
);

export type RouteAnswers = Readonly<Record<number, RouteAnswer>>;

/**
 * Allowed results of a handler: for each declared status a body that matches its schema. The handler of a route that
 * declares no responses may return any result.
 */
export type ResultOf<Answers extends RouteAnswers> =
  | (keyof Answers extends never
      ? JsonAnswer
      : { [Status in keyof Answers]: AnswerOf<Status, Answers[Status]> }[keyof Answers])
  | HtmlAnswer
  | BytesAnswer
  | SourceAnswer
  | OwnAnswer;

type AnswerOf<Status, Answer> = Answer extends { readonly schema: infer Schema extends TSchema }
  ? {
      readonly status: Status;
      readonly headers?: AnswerHeaders;
      readonly body: AnswerBody<Schema>;
      readonly onSent?: OnSent;
    }
  : { readonly status: Status; readonly headers?: AnswerHeaders; readonly body?: unknown };

type AnswerHeaders = Readonly<Record<string, string>>;

/** Allowed values for a declared schema, including values that JSON represents as strings, such as times. */
export type AnswerBody<Schema extends TSchema> = Sent<Static<Schema>>;

type Sent<T> = unknown extends T
  ? unknown
  : string extends T
    ? T | Date
    : T extends object
      ? { readonly [Key in keyof T]: Sent<T[Key]> }
      : T;

export interface RouteDefinition<
  Auth extends RouteAuth = RouteAuth,
  Params extends TObject = TObject,
  Query extends TObject = TObject,
  Body extends TSchema = TSchema,
  Audit extends DeclaredAudit | undefined = DeclaredAudit | undefined,
  Answers extends RouteAnswers = RouteAnswers,
> {
  /** Name of the operation in the OpenAPI document, and therefore in generated clients; it must never change. */
  readonly operationId?: string;
  readonly method: HttpMethod;
  /** Path of the route, for example `/api/v1/things/{thing_id}`, with parameters in braces. */
  readonly path: string;
  /** Further paths with the same parameters and the same behavior. */
  readonly aliases?: readonly string[];
  /** Credential that the route requires; default: `bearer`. */
  readonly auth?: Auth;
  /**
   * True if agents act through this route: while the account's kill switch is engaged, the route returns 403
   * `kill_switch_engaged` (KILL-2).
   */
  readonly isAct?: true;
  /** Called when the kill switch blocks a caller, before any other code of the route runs. */
  readonly onHalted?: (principal: Principal) => void;
  /** Permissions, all of which are required. If the list is empty or undefined, no permission is required. */
  readonly permissions?: readonly Permission[];
  /**
   * Kinds of non-person credentials that may use the route. Default: none. A route that changes or reveals permissions
   * of agents must keep this default (ACC-45).
   */
  readonly openTo?: readonly RestrictedKind[];
  /**
   * Error code instead of `permission_denied` if the route is closed to the credential's kind; not used for discovery
   * keys.
   */
  readonly closedCode?: ErrorCode;
  /**
   * True if the route may use data of the caller that was read for an earlier request, provided that nothing has
   * changed since then (ACC-54). This is intended for routes that agents use for every step, and that read all other
   * data from the database themselves.
   */
  readonly reusesCaller?: true;
  /**
   * True if the route changes data, but none that authentication reads about callers: the response is sent without
   * waiting for other processes (ACC-55). This is intended for routes that are called very often.
   */
  readonly leavesCallers?: true;
  /** Section of the API documents. It is usually set for a whole list of routes (`tagRoutes`). */
  readonly tag?: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: Params;
  /** Schema of the query; default: no parameters (API-3). */
  readonly query?: Query;
  /** True if the query is set by third parties and is ignored, so that unknown keys are not an error of the caller. */
  readonly ignoresQuery?: boolean;
  readonly body?: Body;
  /**
   * Example of the body for the documents. `defineRoute` requires an example for a body with a required field (API-21).
   */
  readonly bodyExample?: NoInfer<Static<Body>>;
  readonly bodyKind?: BodyKind;
  /** Media types of a body that the handler itself reads, for the documents. */
  readonly bodyMediaTypes?: readonly string[];
  readonly bodyLimitBytes?: number;
  /**
   * True if the body is passed unchanged: characters that no text column can store (NUL, lone surrogates) are not
   * replaced. This is intended for a route that has to reject such characters in some fields; the route's handler
   * removes them from the data that it stores.
   */
  readonly bodyAsSent?: boolean;
  /** True if a missing body is treated as `{}`; for routes whose fields are all optional. */
  readonly bodyOptional?: boolean;
  readonly responses: Answers;
  /** Media types of errors, if clients of the route expect another format than the error body of the API. */
  readonly errorMediaTypes?: readonly string[];
  /** Audit record of a call: the handler receives `audit`, which builds the row. */
  readonly audit?: Audit;
  /** Reason why a route that changes data has no audit record. */
  readonly unaudited?: string;
  /**
   * Called when an authenticated caller is refused before the handler runs, for routes that audit every call; the
   * response is sent afterwards.
   */
  readonly onRefused?: (context: RefusedContext<Audit>) => Promise<void>;
  readonly handler: (
    context: RouteContext<Auth, Static<Params>, Static<Query>, Static<Body>, Audit>,
  ) => Promise<ResultOf<Answers>> | ResultOf<Answers>;
}

export interface RefusedContext<Audit = DeclaredAudit | undefined> {
  /** The error sent to the caller, for example for a missing permission or an invalid body. */
  readonly error: AppError;
  readonly requestId: string;
  /** The parsed body, not validated; undefined if the request was refused before its body was parsed. */
  readonly body: unknown;
  /** The same value that the handler receives for an authenticated caller. */
  readonly audit: AuditOf<'bearer', Audit>;
}

/**
 * A route whose types were checked by `defineRoute`; needed because the table contains routes of many different types.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the table is heterogeneous; defineRoute typed each entry
export type Route = Omit<RouteDefinition<any, any, any, any, any, RouteAnswers>, 'auth' | 'audit' | 'handler'> & {
  readonly auth: RouteAuth;
  readonly audit?: AuditDeclaration;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as above
  readonly handler: (context: any) => Promise<RouteResult> | RouteResult;
};

/**
 * Fields that a route must declare: a route that changes data declares its audit record or the reason why it has none.
 * If such a route requires a credential, it also declares its permissions, which may be an empty list.
 */
type Requirements<Method extends HttpMethod, Auth extends RouteAuth, Body extends TSchema> = {
  readonly operationId: string;
} & ExampleOf<Body> &
  ([Method] extends ['get']
    ? unknown
    : ({ readonly audit: DeclaredAudit } | { readonly unaudited: string }) &
        (Auth extends 'bearer' ? { readonly permissions: readonly Permission[] } : unknown));

/**
 * Requirement of an example: a body with a required field needs one; for a body that may be empty, or has no fields,
 * the example is optional.
 */
export type ExampleOf<Body extends TSchema> =
  Record<never, never> extends Static<Body> ? unknown : { readonly bodyExample: NoInfer<Static<Body>> };

/**
 * Defines a route. Its routing, validation, permissions, audit records and OpenAPI operation are all derived from this
 * definition.
 */
export function defineRoute<
  const Method extends HttpMethod,
  const Auth extends RouteAuth = 'bearer',
  Params extends TObject = TObject,
  Query extends TObject = TObject,
  Body extends TSchema = TSchema,
  const Audit extends DeclaredAudit | undefined = undefined,
  const Answers extends RouteAnswers = RouteAnswers,
>(
  definition: RouteDefinition<Auth, Params, Query, Body, Audit, Answers> & { readonly method: Method } & Requirements<
      Method,
      Auth,
      Body
    >,
): Route {
  const { operationId, audit } = definition;
  // The handler returns one of the declared responses, but the compiler cannot verify this while the type is generic.
  return {
    auth: 'bearer',
    ...definition,
    ...(audit === undefined ? {} : { audit: completeAudit(audit, operationId) }),
  } as unknown as Route;
}

/**
 * Defines a route of a protocol that is defined elsewhere (by a model provider or MCP): it is not included in the API
 * documents.
 */
export function defineForeignRoute<
  const Auth extends RouteAuth = 'bearer',
  Params extends TObject = TObject,
  Query extends TObject = TObject,
  Body extends TSchema = TSchema,
  const Answers extends RouteAnswers = RouteAnswers,
>(definition: RouteDefinition<Auth, Params, Query, Body, undefined, Answers>): Route {
  return { auth: 'bearer', ...definition } as unknown as Route;
}

/** Returns the routes with their section of the API documents. */
export function tagRoutes(tag: string, routes: readonly Route[]): Route[] {
  return routes.map((route) => ({ ...route, tag }));
}
