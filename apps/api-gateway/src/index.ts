/**
 * api-gateway: the only HTTP entry point of the product.
 *
 * The exports are only for the tools that generate documents from the route table, and for the tests that compare
 * documents with the routes. Apps do not import each other.
 */
export { describeApi } from './describe-api.ts';
export { describeAsyncApi } from './describe-asyncapi.ts';
export { listDeclaredRoutes } from './list-declared-routes.ts';
