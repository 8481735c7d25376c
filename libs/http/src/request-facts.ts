import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { AppError, Principal } from '@steward/contracts';
import type { Logger } from '@steward/process';
import type { AuditRecord } from './audit-fact.ts';
import type { AnswerError } from './surface.ts';

/** Facts that the middleware of one request collects: `response.locals`. */
export interface RequestFacts {
  readonly requestId: string;
  /** The span of this request in its trace: work caused by the request continues it (API-18). */
  readonly traceparent: string;
  /** Logger with the ids bound. */
  readonly logger: Logger;
  /** The template of the route for the log and the metric, never the URL: a path may contain a secret. */
  routePath: string;
  /** The form of errors of the surface that the route belongs to. */
  answerError?: AnswerError | undefined;
  principal?: Principal;
  error?: AppError;
  /** The path's parameters, validated. */
  params?: unknown;
  rawBody?: Buffer;
  /** Parsed, not validated. */
  seenBody?: unknown;
  buildAudit?: ((fact: never) => AuditRecord) | undefined;
  /** True once the handler of the route was called: an error that it throws is not a refusal of the caller. */
  isHandled?: boolean;
}

export type ServiceResponse = Response<unknown, RequestFacts>;
export type Handler = RequestHandler<Request['params'], unknown, unknown, Request['query'], RequestFacts>;
export type ErrorHandler = ErrorRequestHandler<Request['params'], unknown, unknown, Request['query'], RequestFacts>;
