/**
 * api-gateway: the only HTTP entry point of the suite.
 *
 * Exports, only for the tools, the route table and the settings: documents are generated from them, and the fuzz test
 * walks the routes. No app imports another.
 */
export { describeApi } from './describe-api.ts';
export { describeAsyncApi } from './describe-asyncapi.ts';
export { listDeclaredRoutes } from './list-declared-routes.ts';
