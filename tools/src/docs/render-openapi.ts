import { createRoutes, gatewaySettings, OPENAPI_INFO } from '@steward/api-gateway';
import { buildOpenApi, type Route } from '@steward/http';
import { createLogger, createMetrics, createSecretBox, loadSettings, systemClock } from '@steward/runtime';

/** The route table with dependencies that are never called: only what the routes declare is read. */
export function listDeclaredRoutes(): Route[] {
  const settings = loadSettings(gatewaySettings, {
    DATABASE_URL: 'postgres://localhost/steward',
    NATS_URL: 'nats://localhost',
    SECRET_KEY: 'only-for-reading-the-route-table-0000',
  });
  const box = createSecretBox(settings.secretKey, 'documents');
  const unused = {} as never;
  return createRoutes(
    {
      db: unused,
      pool: unused,
      searchPools: unused,
      coverageDb: unused,
      searchAudits: unused,
      broker: unused,
      triggerQueue: unused,
      settings,
      clock: systemClock,
      logger: createLogger({ service: 'documents', level: 'error', pretty: false }),
      metrics: createMetrics('documents'),
      secretBoxes: { webhook: box, flow: box },
    },
    [],
  );
}

/** The OpenAPI 3.1 document as served at /docs/api/openapi.json. */
export function renderOpenApi(): string {
  return JSON.stringify(buildOpenApi(listDeclaredRoutes(), OPENAPI_INFO), null, 2);
}
