import { createServer, type Server } from 'node:http';
import { listen } from '../lifecycle/listen.ts';
import type { Component } from '../lifecycle/lifecycle.ts';
import type { Metrics } from './metrics.ts';
import type { ProbeAnswer, Probes } from './probes.ts';

export interface HealthServerOptions {
  readonly host: string;
  readonly port: number;
  readonly probes: Probes;
  readonly metrics: Pick<Metrics, 'render' | 'contentType'>;
  /** Returns counters of this worker since its start, shown in the health response. */
  readonly activity?: () => Readonly<Record<string, unknown>>;
}

/** Creates the HTTP server of a worker on `HEALTH_PORT`: `GET /livez`, `/readyz`, `/api/v1/health` and `/metrics`. */
export function createHealthServer(options: HealthServerOptions): Component & { port(): number } {
  const server: Server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0];
    if (request.method !== 'GET' && request.method !== 'HEAD') return answer(405, 'method_not_allowed');
    if (path === '/livez') return answerProbe(options.probes.live());
    if (path === '/readyz') return void options.probes.ready().then(answerProbe);
    if (path === '/api/v1/health') return void answerHealth();
    if (path === '/metrics') return void answerMetrics();
    return answer(404, 'not_found');

    function answer(status: number, code: string): void {
      send(
        status,
        'application/json',
        JSON.stringify({ detail: { code, message: 'This port serves /livez, /readyz, /api/v1/health and /metrics.' } }),
      );
    }
    function send(status: number, type: string, body: string): void {
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
    }
    function answerProbe({ status, body }: ProbeAnswer<object>): void {
      send(status, 'application/json', JSON.stringify(body));
    }
    async function answerHealth(): Promise<void> {
      const { status, body } = await options.probes.health();
      const activity = options.activity === undefined ? {} : { activity: options.activity() };
      answerProbe({ status, body: { ...body, ...activity } });
    }
    async function answerMetrics(): Promise<void> {
      send(200, options.metrics.contentType, await options.metrics.render());
    }
  });
  return {
    name: 'health server',
    start: () => listen(server, { host: options.host, port: options.port, variable: 'HEALTH_PORT' }),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    port() {
      const address = server.address();
      return typeof address === 'object' && address !== null ? address.port : options.port;
    },
  };
}
