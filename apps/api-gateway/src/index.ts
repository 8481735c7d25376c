/**
 * api-gateway: the only HTTP entry point of the suite.
 *
 * Exports, only for the tools, the route table and the settings: documents are generated from them, and the fuzz test
 * walks the routes. No app imports another.
 */
export { describeWebhooks } from './describe-webhooks.ts';
export { OPENAPI_INFO } from './openapi-info.ts';
export { listDeclaredRoutes } from './list-declared-routes.ts';
