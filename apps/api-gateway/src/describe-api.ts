import { buildOpenApi, type Route } from '@steward/http';
import { describeWebhooks } from './describe-webhooks.ts';
import { OPENAPI_INFO } from './openapi-info.ts';
import { REQUEST_EXAMPLES } from './request-examples.ts';
import { TAG_DESCRIPTIONS } from './tag-descriptions.ts';

/** The OpenAPI document of these routes and of the requests that the service sends. */
export function describeApi(routes: readonly Route[]): object {
  return buildOpenApi(routes, OPENAPI_INFO, {
    webhooks: describeWebhooks(),
    requestExamples: REQUEST_EXAMPLES,
    tagDescriptions: TAG_DESCRIPTIONS,
  });
}
