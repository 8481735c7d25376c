import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { AppError, Principal } from '@steward/contracts';
import type { Logger } from '@steward/process';
import type { AuditRecord } from './audit-fact.ts';
import type { AnswerError } from './surface.ts';

/** Data about a request that is collected by the middleware, in `response.locals`. */
export interface RequestFacts {
  readonly requestId: string;
  /** Span of this request in its trace; work caused by the request continues the trace (API-18). */
  readonly traceparent: string;
  /** Logger that includes the request's ids. */
  readonly logger: Logger;
  /** Path template of the route, for the log and the metric. It is never the URL, since a path may contain a secret. */
  routePath: string;
  /** Returns the response for an error, in the format of the surface to which the route belongs. */
  answerError?: AnswerError | undefined;
  principal?: Principal;
  error?: AppError;
  /** The validated path parameters. */
  params?: unknown;
  rawBody?: Buffer;
  /** The parsed body, not validated. */
  seenBody?: unknown;
  buildAudit?: ((fact: never) => AuditRecord) | undefined;
  /**
   * True as soon as the handler of the route has been called: an error that it throws is not a refusal of the caller.
   */
  isHandled?: boolean;
}

export type ServiceResponse = Response<unknown, RequestFacts>;
export type Handler = RequestHandler<Request['params'], unknown, unknown, Request['query'], RequestFacts>;
export type ErrorHandler = ErrorRequestHandler<Request['params'], unknown, unknown, Request['query'], RequestFacts>;
