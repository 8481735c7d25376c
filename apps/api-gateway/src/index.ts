/**
 * api-gateway: the only HTTP door of the suite.
 *
 * Exported for the tools alone: the route table and the settings, from which documents are generated and which the
 * fuzz test walks. No app imports another.
 */
export { ANSWER_NAMES } from './answer-names.ts';
export { describeWebhooks } from './describe-webhooks.ts';
export { OPENAPI_INFO } from './openapi-info.ts';
export { OPERATION_IDS } from './operation-ids.ts';
export { listDeclaredRoutes } from './list-declared-routes.ts';
