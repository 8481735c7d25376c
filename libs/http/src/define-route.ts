import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { AppError, ErrorCode, Permission, Principal, RestrictedKind } from '@steward/contracts';
import type { Logger } from '@steward/process';
import type { AuditDeclaration, BuildAudit } from './audit-fact.ts';
import type { BytesAnswer, HtmlAnswer, JsonAnswer, OnSent, SourceAnswer } from './send-answer.ts';

export type HttpMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

/**
 * What a handler answers. `body` is sent as JSON, `html` as a page without scripts, `bytes` as they are, `source` byte for byte
 * as it comes; a `stream` writes the response itself (server-sent events, downloads).
 */
export type RouteResult = JsonAnswer | HtmlAnswer | BytesAnswer | SourceAnswer | OwnAnswer;

export interface OwnAnswer {
  readonly stream: (response: ServerResponse) => Promise<void> | void;
}

export interface RouteContext<Auth extends RouteAuth, Params, Query, Body, Audit = AuditDeclaration | undefined> {
  readonly params: Params;
  readonly query: Query;
  /** As it came, with its question mark; empty without one. For who passes it on. */
  readonly search: string;
  readonly body: Body;
  /** The bytes the body was parsed from (empty without a body, and with `json-later`). */
  readonly rawBody: Buffer;
  /** With `json-later`, called once: reads the body, up to the route's limit. */
  readonly readBody: () => Promise<Buffer>;
  /** With `stream`, called once: the body part by part, decompressed, up to the route's limit. */
  readonly readParts: () => AsyncIterable<Buffer>;
  readonly headers: IncomingHttpHeaders;
  readonly principal: Auth extends 'bearer' ? Principal : Auth extends 'optional' ? Principal | undefined : undefined;
  readonly requestId: string;
  /** W3C Trace Context of this request, for what it writes (`transact`). */
  readonly traceparent: string;
  readonly remoteAddress: string;
  /** Aborted when the client is gone before the answer was sent. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** Builds the row that the route's `audit` declares; the handler writes it in the transaction of what it records. */
  readonly audit: AuditOf<Auth, Audit>;
}

type AuditOf<Auth extends RouteAuth, Audit> = Audit extends AuditDeclaration ? BuildAudit<Auth, Audit> : undefined;

/** `optional`: a caller without a credential is told less; a credential that is no good is refused as everywhere. */
export type RouteAuth = 'bearer' | 'optional' | 'none';

/**
 * How the request body is read. `json-later` leaves it unread: the handler reads and parses after checks of its own. `raw` hands
 * over the bytes alone (`rawBody`), whatever they are: nothing is parsed, replaced or checked but their number. `stream` hands
 * them over as they come (`readParts`), for bodies that nobody should hold whole.
 */
export type BodyKind = 'json' | 'json-later' | 'form' | 'raw' | 'stream';

/** 4 MiB on content and trigger routes, 256 KiB elsewhere (LIM-13). */
export const CONTENT_BODY_LIMIT_BYTES = 4 * 1024 * 1024;
export const DEFAULT_BODY_LIMIT_BYTES = 256 * 1024;

interface RouteAnswer {
  readonly description: string;
  readonly schema?: TSchema;
  /** Media type when it is not JSON. */
  readonly mediaType?: string;
}

export type RouteAnswers = Readonly<Record<number, RouteAnswer>>;

/** What a handler may answer: of each declared status a body that fits its schema. A route that declares none says what it likes. */
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

/** What may be sent where the schema is declared: also what JSON writes as text (a time). */
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
  Audit extends AuditDeclaration | undefined = AuditDeclaration | undefined,
  Answers extends RouteAnswers = RouteAnswers,
> {
  readonly method: HttpMethod;
  /** `/api/v1/things/{thing_id}`; parameters in braces. */
  readonly path: string;
  /** Further paths with the same parameters that answer the same. */
  readonly aliases?: readonly string[];
  /** Left out: a known caller (`bearer`). */
  readonly auth?: Auth;
  /** Something acts through it: 403 `kill_switch_engaged` while the account's kill switch is thrown (KILL-2). */
  readonly isAct?: true;
  /** Told of each caller that is refused so: nothing else of the route has run. */
  readonly onHalted?: (principal: Principal) => void;
  /** All of them are needed. Empty or left out: any authenticated caller. */
  readonly permissions?: readonly Permission[];
  /**
   * The kinds of credentials that act for something else than a person and reach it. Left out: none of them, which is right for
   * whatever changes, or tells of, what agents may do (ACC-45).
   */
  readonly openTo?: readonly RestrictedKind[];
  /** What credentials that act as an agent are told where it is closed to them; left out: `permission_denied`. */
  readonly closedCode?: ErrorCode;
  /** The section of the documents it stands in. Of most routes their list says it (`tagRoutes`). */
  readonly tag?: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: Params;
  /** What the query may hold; left out: nothing (API-3). */
  readonly query?: Query;
  /** The query is others' to fill, and nothing of it is read: keys in it are no mistake of the caller's. */
  readonly ignoresQuery?: boolean;
  readonly body?: Body;
  readonly bodyKind?: BodyKind;
  /** Of a body that the handler reads, for the documents: it looks which it is. */
  readonly bodyMediaTypes?: readonly string[];
  readonly bodyLimitBytes?: number;
  /**
   * The body is handed over as it came: what no text column can hold (NUL, lone surrogates) is not replaced. For a route that
   * has to refuse it in some places; the handler makes storable what it stores.
   */
  readonly bodyAsSent?: boolean;
  /** A missing body counts as `{}` (routes whose every field is optional). */
  readonly bodyOptional?: boolean;
  readonly responses: Answers;
  /** What is recorded of a call: the handler gets `audit`, which builds the row. */
  readonly audit?: Audit;
  /** Called when a known caller is refused before the handler runs, for routes that audit every call; the answer follows. */
  readonly onRefused?: (context: RefusedContext<Audit>) => Promise<void>;
  readonly handler: (
    context: RouteContext<Auth, Static<Params>, Static<Query>, Static<Body>, Audit>,
  ) => Promise<ResultOf<Answers>> | ResultOf<Answers>;
}

export interface RefusedContext<Audit = AuditDeclaration | undefined> {
  /** What the caller is answered: a missing permission, a body too large or not of the route's form. */
  readonly error: AppError;
  readonly requestId: string;
  /** The parsed body, not validated; undefined when it was refused before it was read. */
  readonly body: unknown;
  /** As the handler gets it, of a caller who is known. */
  readonly audit: AuditOf<'bearer', Audit>;
}

/** A route whose types were checked by `defineRoute`; the table holds many of different types. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the table is heterogeneous; defineRoute typed each entry
export type Route = Omit<RouteDefinition<any, any, any, any, any, RouteAnswers>, 'auth' | 'handler'> & {
  readonly auth: RouteAuth;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as above
  readonly handler: (context: any) => Promise<RouteResult> | RouteResult;
};

/** The single definition of a route: routing, validation and OpenAPI all come from it. */
export function defineRoute<
  const Auth extends RouteAuth = 'bearer',
  Params extends TObject = TObject,
  Query extends TObject = TObject,
  Body extends TSchema = TSchema,
  const Audit extends AuditDeclaration | undefined = undefined,
  const Answers extends RouteAnswers = RouteAnswers,
>(definition: RouteDefinition<Auth, Params, Query, Body, Audit, Answers>): Route {
  // What it answers is one of its declared answers, which the compiler cannot see of a type that is not known yet.
  return { auth: 'bearer', ...definition } as unknown as Route;
}

/** Routes that stand in one section of the documents. */
export function tagRoutes(tag: string, routes: readonly Route[]): Route[] {
  return routes.map((route) => ({ ...route, tag }));
}
