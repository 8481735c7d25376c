import { ANSWER_NAMES, describeWebhooks, listDeclaredRoutes, OPENAPI_INFO, OPERATION_IDS } from '@steward/api-gateway';
import { buildOpenApi } from '@steward/http';

/** The OpenAPI 3.1 document as the enterprise edition serves it at /docs/api/openapi.json: every route there is, and every event. */
export function renderOpenApi(): string {
  const extras = { webhooks: describeWebhooks(), answerNames: ANSWER_NAMES, operationIds: OPERATION_IDS };
  return JSON.stringify(buildOpenApi(listDeclaredRoutes(), OPENAPI_INFO, extras), null, 2);
}
