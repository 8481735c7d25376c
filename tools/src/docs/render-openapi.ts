import { describeApi, listDeclaredRoutes } from '@steward/api-gateway';

/** Renders the OpenAPI 3.1 document of the enterprise edition, as in /docs/api/openapi.json: all routes and events. */
export function renderOpenApi(): string {
  return JSON.stringify(describeApi(listDeclaredRoutes()), null, 2);
}
