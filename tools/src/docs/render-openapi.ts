import { ANSWER_NAMES, describeWebhooks, listDeclaredRoutes, OPENAPI_INFO, OPERATION_IDS } from '@steward/api-gateway';
import { buildOpenApi } from '@steward/http';

/** Renders the OpenAPI 3.1 document of the enterprise edition, as in /docs/api/openapi.json: all routes and events. */
export function renderOpenApi(): string {
  const extras = { webhooks: describeWebhooks(), answerNames: ANSWER_NAMES, operationIds: OPERATION_IDS };
  return JSON.stringify(buildOpenApi(listDeclaredRoutes(), OPENAPI_INFO, extras), null, 2);
}
