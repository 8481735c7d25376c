import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import express, { type Express, type Request, type Response } from 'express';
import { protectBrowsers } from './send-answer.ts';
import type { Serve } from './serve-request.ts';

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Steward API</title>
    <link rel="stylesheet" href="/docs/api/assets/swagger-ui.css" />
    <link rel="icon" href="/docs/api/assets/favicon-32x32.png" />
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="/docs/api/assets/swagger-ui-bundle.js"></script>
    <script src="/docs/api/start.js"></script>
  </body>
</html>
`;

/** The folder contains more: pages of other versions, source maps, a package.json with the version. */
const ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/** A separate file, so that the content security policy needs no inline scripts. */
const START_SCRIPT = `window.ui = SwaggerUIBundle({ url: '/docs/api/openapi.json', dom_id: '#swagger-ui', deepLinking: true, validatorUrl: null });\n`;

/**
 * The API page with every asset served locally: a self-hosted deployment may have no internet access. Express serves
 * only this page, for its file handling (types, ranges, validators); unknown paths go to `refuseUnknown`.
 */
export function createDocsPage(openApi: object, refuseUnknown: Serve): Serve {
  const app = createApp(openApi);
  app.use((message: Request, response: Response) =>
    refuseUnknown({ message, params: {}, query: {}, remoteAddress: '' }, response),
  );
  return ({ message }, response) => Promise.resolve(app(message, response));
}

function createApp(openApi: object): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.use(protectBrowsers);
  const assets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const document = JSON.stringify(openApi);
  app.get('/docs/api', (_request, response) => void response.type('html').send(PAGE));
  app.get('/docs/api/start.js', (_request, response) => void response.type('text/javascript').send(START_SCRIPT));
  app.get('/docs/api/openapi.json', (_request, response) => void response.type('application/json').send(document));
  for (const name of ASSETS) {
    app.get(`/docs/api/assets/${name}`, (_request, response) =>
      response.sendFile(name, { root: assets, maxAge: '1h' }),
    );
  }
  return app;
}
