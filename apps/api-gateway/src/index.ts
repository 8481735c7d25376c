/**
 * api-gateway: the only HTTP entry point of the suite.
 *
 * Exports, only for the tools, the route table and the settings: documents are generated from them, and the fuzz test
 * walks the routes. No app imports another.
 */
export { ANSWER_NAMES } from './answer-names.ts';
export { describeWebhooks } from './describe-webhooks.ts';
export { OPENAPI_INFO } from './openapi-info.ts';
export { OPERATION_IDS } from './operation-ids.ts';
export { listDeclaredRoutes } from './list-declared-routes.ts';
