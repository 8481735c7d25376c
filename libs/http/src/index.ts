/**
 * HTTP: the typed route table and what is made of it (routing, validation, OpenAPI), the error body,
 * request ids, paging, the docs page, the server; the bounds of bodies and how a client is told its budget.
 *
 * Not here: any route or door of the product, any credential check or count of requests (the app passes doors and gate in).
 * Used by: api-gateway, the tools that generate documents.
 */
export { createHttpApp } from './create-http-app.ts';
export type { HttpAppOptions } from './create-http-app.ts';
export { createHttpServer } from './create-http-server.ts';
export { buildPagePolicy, readSite } from './site.ts';
export type { Site } from './site.ts';
export { passStream } from './pass-stream.ts';
export type { SourceAnswer } from './send-answer.ts';
export { CONTENT_BODY_LIMIT_BYTES, defineRoute } from './define-route.ts';
export { describeActor } from './audit-fact.ts';
export type { AuditRecord } from './audit-fact.ts';
export { readBearerOrApiKey } from './door.ts';
export type { AnswerError, Door, ReadCredential } from './door.ts';
export type { RequestGate } from './handle-request.ts';
export type { AnswerBody, HttpMethod, RefusedContext, Route, RouteContext, RouteResult } from './define-route.ts';
export { buildOpenApi } from './openapi.ts';
export type { OpenApiInfo, OpenApiWebhooks } from './openapi.ts';
export type { AnswerNames, OperationIds } from './openapi-schemas.ts';
export {
  decodeCursor,
  decodeNumberCursor,
  decodeTimeCursor,
  encodeCursor,
  PageQuery,
  pageOf,
  PlainPageQuery,
  textFilter,
  readIdPage,
  readLimit,
  readTimePage,
  toIdPage,
  toPage,
} from './paging.ts';
export { nullable } from './nullable.ts';
export { readMediaType, requireJson } from './media-type.ts';
export { toClientError } from './error-answer.ts';
export { compileBodyValidation } from './validation.ts';
export { parseJsonText } from './parse-json.ts';
export type { Authenticate } from './authenticate.ts';
export type { BudgetState, SpendRequest } from './request-budget.ts';
export { isSenderGone } from './read-body.ts';
export { requireTrustedProxy } from './require-trusted-proxy.ts';
