/**
 * HTTP: the typed route table and what is made of it (Express registration, validation, OpenAPI), the error body,
 * request ids, paging, the docs page, the server.
 *
 * Not here: any route of the product, any credential check (the app passes `authenticate` in).
 * Used by: api-gateway, the tools that generate documents.
 */
export { createHttpApp } from './create-http-app.ts';
export type { HttpAppOptions } from './create-http-app.ts';
export { createHttpServer } from './create-http-server.ts';
export { CONTENT_BODY_LIMIT_BYTES, DEFAULT_BODY_LIMIT_BYTES, defineRoute } from './define-route.ts';
export type { HttpMethod, RefusedContext, Route, RouteContext, RouteResult } from './define-route.ts';
export { buildOpenApi } from './openapi.ts';
export type { OpenApiInfo } from './openapi.ts';
export {
  decodeCursor,
  decodeIdCursor,
  decodeTimeCursor,
  encodeCursor,
  encodeIdCursor,
  PageQuery,
  pageOf,
  toPage,
} from './paging.ts';
export { parseJson, parseJsonText } from './parse-json.ts';
export type { Authenticate, Principal } from './principal.ts';
export { isSenderGone, releaseBody, requireJson } from './read-body.ts';
export { listPaths } from './route-paths.ts';
