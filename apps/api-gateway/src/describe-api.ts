import { buildOpenApi, type Route } from '@steward/http';
import { describeWebhooks } from './describe-webhooks.ts';
import { OPENAPI_INFO } from './openapi-info.ts';
import { TAG_DESCRIPTIONS } from './tag-descriptions.ts';

/** Builds the OpenAPI document of these routes and of the requests that the service sends. */
export function describeApi(routes: readonly Route[]): object {
  return buildOpenApi(routes, OPENAPI_INFO, { webhooks: describeWebhooks(), tagDescriptions: TAG_DESCRIPTIONS });
}
