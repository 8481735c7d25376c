import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import express, { type Router } from 'express';
import { refusePath } from './check-target.ts';
import { nameRoute } from './start-request.ts';

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

/**
 * Files that are served. The folder also contains files that are not served: pages of other versions, source maps, and
 * a package.json with the version.
 */
const ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/** Script of the page, served as a separate file, so that the content security policy need not allow inline scripts. */
const START_SCRIPT = `window.ui = SwaggerUIBundle({ url: '/docs/api/openapi.json', dom_id: '#swagger-ui', deepLinking: true, validatorUrl: null });\n`;

/**
 * Returns a router that serves the API page and all of its assets from this server, since a self-hosted deployment may
 * have no access to the internet.
 */
export function createDocsRouter(openApi: () => object): Router {
  const router = express.Router({ caseSensitive: true });
  const addText = (path: string, type: string, text: string): void => {
    router.get(path, nameRoute(`/docs/api${path}`), (_request, response) => void response.type(type).send(text));
  };
  addText('/', 'html', PAGE);
  addText('/start.js', 'text/javascript', START_SCRIPT);
  addDocument(router, '/openapi.json', '/docs/api/openapi.json', openApi);
  const assets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const options = { root: assets, headers: { 'Cache-Control': 'public, max-age=3600' }, acceptRanges: false };
  for (const name of ASSETS) {
    router.get(`/assets/${name}`, nameRoute(`/docs/api/assets/${name}`), (_request, response) =>
      response.sendFile(name, options),
    );
  }
  router.use(refusePath);
  return router;
}

/** Returns a router that serves one document below /docs. */
export function createDocumentRouter(name: string, describe: () => object): Router {
  const router = express.Router({ caseSensitive: true });
  addDocument(router, `/${name}`, `/docs/${name}`, describe);
  return router;
}

/**
 * Serves a document, which is created by the first request for it, so that the many processes without such a request
 * start sooner.
 */
function addDocument(router: Router, path: string, route: string, describe: () => object): void {
  let text: string | undefined;
  router.get(path, nameRoute(route), (_request, response) => {
    text ??= JSON.stringify(describe());
    response.type('application/json').send(text);
  });
}
