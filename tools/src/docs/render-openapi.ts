import { describeWebhooks, listDeclaredRoutes, OPENAPI_INFO } from '@steward/api-gateway';
import { buildOpenApi } from '@steward/http';

/** The OpenAPI 3.1 document as the enterprise edition serves it at /docs/api/openapi.json: every route there is, and every event. */
export function renderOpenApi(): string {
  return JSON.stringify(buildOpenApi(listDeclaredRoutes(), OPENAPI_INFO, describeWebhooks()), null, 2);
}
