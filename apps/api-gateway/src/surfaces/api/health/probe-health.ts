import { Type } from '@sinclair/typebox';
import { defineRoute, type Route } from '@steward/http';
import type { Probes } from '@steward/process';

const describeProbe = <Status extends string>(...statuses: Status[]) =>
  Type.Object({
    status: Type.Union(statuses.map((status) => Type.Literal(status))),
    version: Type.String({ description: 'Version of this build.' }),
  });

/**
 * Creates the probes for orchestrators (PROC-5), which restart a process that is not live, and send requests only to
 * processes that are ready.
 */
export function createProbeRoutes(probes: Probes): Route[] {
  return [
    defineRoute({
      operationId: 'probeLiveness',
      method: 'get',
      path: '/api/v1/livez',
      auth: 'none',
      summary: 'Check liveness: whether the process responds, regardless of its dependencies.',
      ignoresQuery: true,
      responses: { 200: { description: 'Alive.', name: 'Liveness', schema: describeProbe('alive') } },
      handler: () => ({ status: 200, body: probes.live().body }),
    }),
    defineRoute({
      operationId: 'probeReadiness',
      method: 'get',
      path: '/api/v1/readyz',
      auth: 'none',
      summary: 'Check readiness: whether the database responds and the process is not stopping.',
      ignoresQuery: true,
      responses: {
        200: { description: 'Ready.', name: 'Readiness', schema: describeProbe('ready') },
        503: {
          description: 'The database is unavailable, or the process is stopping.',
          name: 'Unreadiness',
          schema: describeProbe('not_ready', 'draining'),
        },
      },
      handler: async () => {
        const { status, version } = (await probes.ready()).body;
        return status === 'ready'
          ? { status: 200, body: { status, version } }
          : { status: 503, body: { status, version } };
      },
    }),
  ];
}
