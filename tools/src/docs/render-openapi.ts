import { describeWebhooks, listDeclaredRoutes, OPENAPI_INFO } from '@steward/api-gateway';
import { buildOpenApi } from '@steward/http';

/** Renders the OpenAPI 3.1 document of the enterprise edition, as in /docs/api/openapi.json: all routes and events. */
export function renderOpenApi(): string {
  return JSON.stringify(buildOpenApi(listDeclaredRoutes(), OPENAPI_INFO, { webhooks: describeWebhooks() }), null, 2);
}
