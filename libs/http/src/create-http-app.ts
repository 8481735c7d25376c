import type { IncomingMessage, ServerResponse } from 'node:http';
import express from 'express';
import type { Logger, Metrics } from '@steward/process';
import { answerErrors } from './answer-errors.ts';
import { refusePath, requireOneHost, requireReadablePath, toOriginForm } from './check-target.ts';
import { createDocsRouter, createDocumentRouter } from './docs-page.ts';
import type { Surface } from './surface.ts';
import { createMessageClasses, type HttpApp } from './express-messages.ts';
import type { RequestGate } from './handle-request.ts';
import { protectBrowsers } from './protect-browsers.ts';
import type { Site } from './site.ts';
import { runChecks } from './run-checks.ts';
import { startRequest } from './start-request.ts';
import { mountSurfaces } from './surface-router.ts';

export interface HttpAppOptions {
  /** Surfaces; if two declare a route with the same method and path, the route of the first one is used. */
  readonly surfaces: readonly Surface[];
  readonly gate: RequestGate;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Creates the OpenAPI document served at /docs/api/openapi.json; without it there is no docs page. */
  readonly openApi?: () => object;
  /** Creates the AsyncAPI document served at /docs/asyncapi.json. */
  readonly asyncApi?: () => object;
  /** Web sites served in addition to the API surfaces; the paths of the surfaces take precedence. */
  readonly sites?: readonly Site[];
  /** Addresses of proxies whose X-Forwarded-For is trusted; none by default. */
  readonly trustedProxies?: readonly string[];
}

/**
 * Creates the app. A request passes through the steps in the order in which they are added here; `bindRoute` defines
 * the order of the steps within a route.
 */
export function createHttpApp({ surfaces, gate, openApi, asyncApi, sites = [], ...options }: HttpAppOptions): HttpApp {
  const app = express();
  app.set('trust proxy', [...(options.trustedProxies ?? [])]);
  app.enable('case sensitive routing');
  app.disable('x-powered-by');
  app.disable('etag');

  app.use(startRequest(options));
  app.use(runChecks(protectBrowsers, requireOneHost, requireReadablePath));

  app.use(mountSurfaces(surfaces, gate));
  if (openApi !== undefined) app.use('/docs/api', createDocsRouter(openApi));
  if (asyncApi !== undefined) app.use('/docs', createDocumentRouter('asyncapi.json', asyncApi));
  for (const site of sites) app.use(site);

  app.use(refusePath);
  app.use(answerErrors(surfaces));

  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    request.url = toOriginForm(request.url ?? '');
    app(request, response);
  };
  return Object.assign(serve, { messages: createMessageClasses(app) });
}
