/**
 * api-gateway: the only HTTP entry point of the product.
 *
 * The exports are only for the tools, the route table and the settings: documents are generated from them, and the fuzz
 * test requests every route. Apps do not import each other.
 */
export { describeApi } from './describe-api.ts';
export { describeAsyncApi } from './describe-asyncapi.ts';
export { listDeclaredRoutes } from './list-declared-routes.ts';
