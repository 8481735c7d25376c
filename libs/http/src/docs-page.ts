import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Router, static as serveStatic } from 'express';

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

/** A file of its own, so that the content security policy needs no inline scripts. */
const START_SCRIPT = `window.ui = SwaggerUIBundle({ url: '/docs/api/openapi.json', dom_id: '#swagger-ui', deepLinking: true, validatorUrl: null });\n`;

/** The API page with every asset served from here: a self-hosted deployment may have no way out. */
export function createDocsRouter(openApi: object): Router {
  const router = Router();
  const assets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const document = JSON.stringify(openApi);
  router.get('/', (_request, response) => void response.type('html').send(PAGE));
  router.get('/start.js', (_request, response) => void response.type('text/javascript').send(START_SCRIPT));
  router.get('/openapi.json', (_request, response) => void response.type('application/json').send(document));
  router.use('/assets', serveStatic(assets, { index: false, fallthrough: true, maxAge: '1h' }));
  return router;
}
