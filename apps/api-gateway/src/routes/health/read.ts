import { Type } from '@sinclair/typebox';
import { defineRoute, type Route } from '@steward/http';
import { reportHealth, type HealthCheck } from '@steward/runtime';

const CheckState = Type.Union([Type.Literal('ok'), Type.Literal('failed')]);

const Health = Type.Object({
  status: Type.Union([Type.Literal('healthy'), Type.Literal('degraded'), Type.Literal('unhealthy')]),
  checks: Type.Object({ database: CheckState, broker: CheckState }),
});

/** Liveness (decisions.md section 7): 503 only when the database is down; a lost broker costs latency, not service. */
export function createReadHealthRoute(checks: readonly HealthCheck[]): Route {
  return defineRoute({
    method: 'get',
    path: '/api/v1/health',
    auth: 'none',
    tag: 'health',
    summary: 'Whether this process can serve.',
    responses: {
      200: { description: 'Healthy, or degraded when only the broker is away.', schema: Health },
      503: { description: 'The database is away.', schema: Health },
    },
    handler: async () => {
      const report = await reportHealth(checks);
      return { status: report.status === 'unhealthy' ? 503 : 200, body: report };
    },
  });
}
