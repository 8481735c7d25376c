import { Type } from '@sinclair/typebox';
import { defineRoute, type Route } from '@steward/http';
import type { Probes } from '@steward/process';

const CheckState = Type.Union([Type.Literal('ok'), Type.Literal('failed')]);

const Health = Type.Object({
  status: Type.Union([Type.Literal('healthy'), Type.Literal('degraded'), Type.Literal('unhealthy')]),
  checks: Type.Object({ database: CheckState, broker: CheckState }),
  version: Type.String({ description: 'Version of this build.' }),
});

/**
 * Creates the health route for people and dashboards (PROC-6). It returns 503 only if the database is down; without the
 * broker the service only gets slower.
 */
export function createReadHealthRoute(probes: Probes): Route {
  return defineRoute({
    operationId: 'readHealth',
    method: 'get',
    path: '/api/v1/health',
    auth: 'none',
    summary: 'Check health: whether this process can serve requests, and which of its dependencies respond.',
    // Monitors add parameters to bypass caches.
    ignoresQuery: true,
    responses: {
      200: {
        description: 'The process is healthy, or degraded if only the broker is unavailable.',
        name: 'Health',
        schema: Health,
      },
      503: { description: 'The database is unavailable.', name: 'Health', schema: Health },
    },
    handler: async () => {
      const { status, body } = await probes.health();
      const { database = 'failed', broker = 'failed' } = body.checks;
      const health = { ...body, checks: { database, broker } };
      return status === 200 ? { status, body: health } : { status, body: health };
    },
  });
}
