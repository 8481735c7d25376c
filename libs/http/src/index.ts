/**
 * HTTP: the server, the Express app and the order of its middleware (`create-http-app.ts`), the typed route table and
 * all parts derived from it (routers, validation, OpenAPI), the error body, request ids, paging, the docs page, the
 * limits of bodies, and the headers that report a client's request budget.
 *
 * Not here: the routes and surfaces of the product; credential checks and request counts, which the app injects. Used
 * by: api-gateway, libs/api, the API packages of the contexts; also the local stack, for the page of the console.
 */
export { createHttpApp, type HttpAppOptions } from './create-http-app.ts';
export { createHttpServer } from './create-http-server.ts';
export { buildPagePolicy, createFramedPage, readSite, type Site } from './site.ts';
export { passStream, type Send, type Through } from './pass-stream.ts';
export type { BytesAnswer, SourceAnswer } from './send-answer.ts';
export {
  CONTENT_BODY_LIMIT_BYTES,
  defineForeignRoute,
  defineRoute,
  tagRoutes,
  type AnswerBody,
  type HttpMethod,
  type RefusedContext,
  type Route,
  type RouteContext,
  type RouteResult,
} from './define-route.ts';
export { describeActor, type AuditFact, type AuditRecord } from './audit-fact.ts';
export { readBearer, readBearerOrApiKey, type AnswerError, type Surface, type ReadCredential } from './surface.ts';
export { mayChangeCallers, type RequestGate } from './handle-request.ts';
export { buildOpenApi, type OpenApiInfo, type OpenApiWebhooks } from './openapi.ts';
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
export { compileBodyValidation, compileTextValidation } from './validation.ts';
export { parseJsonText } from './parse-json.ts';
export type { Authenticate } from './authenticate.ts';
export type { BudgetState, SpendRequest } from './request-budget.ts';
export { isSenderGone } from './read-body.ts';
export { requireTrustedProxy } from './require-trusted-proxy.ts';
