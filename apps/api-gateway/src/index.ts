/**
 * api-gateway: the only HTTP door of the suite.
 *
 * Exported for the tools alone: the route table and the settings, from which documents are generated and which the
 * fuzz test walks. No app imports another.
 */
export { buildApp } from './app.ts';
export { gatewaySettings } from './config.ts';
export { OPENAPI_INFO } from './openapi-info.ts';
export { createRoutes } from './routes/index.ts';
