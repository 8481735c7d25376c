import { request } from 'node:http';
import { PassThrough } from 'node:stream';
import { AppError } from '@steward/contracts';
import { createLogger, createMetrics } from '@steward/process';
import { eventually } from '@steward/testing';
import { createHttpApp } from './create-http-app.ts';
import { createHttpServer } from './create-http-server.ts';
import { defineRoute } from './define-route.ts';
import { buildOpenApi } from './openapi.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const HEADER = `00-${TRACE}-b7ad6b7169203331-01`;

describe('the trace of a request (API-18)', () => {
  const lines: Record<string, unknown>[] = [];
  const seen: string[] = [];
  const routes = [
    defineRoute({
      operationId: 'readTrace',
      method: 'get',
      path: '/traced',
      auth: 'none',
      tag: 'traced',
      summary: 'Says what trace it is in.',
      responses: {},
      handler: ({ headers, logger, traceparent }) => {
        seen.push(traceparent);
        logger.info('test.handled');
        if (headers['x-fail'] !== undefined) throw new AppError('conflict');
        return { status: 200 };
      },
    }),
  ];
  let server: ReturnType<typeof createHttpServer>;
  beforeAll(async () => {
    const stream = new PassThrough();
    stream.on('data', (data: Buffer) => {
      for (const line of data.toString().trim().split('\n')) lines.push(JSON.parse(line) as Record<string, unknown>);
    });
    const app = createHttpApp({
      surfaces: [{ prefix: '', routes, auditSource: 'console' }],
      gate: { authenticate: () => Promise.resolve(undefined) },
      logger: createLogger({ service: 'test', level: 'info', pretty: false, stream }),
      metrics: createMetrics('test'),
      openApi: () => buildOpenApi(routes, { title: 'T', version: '1', description: '' }),
    });
    server = createHttpServer({ app, host: '127.0.0.1', port: 0, variable: 'PORT' });
    await server.start?.();
  });
  afterAll(() => server.stop?.());
  beforeEach(() => {
    lines.length = 0;
    seen.length = 0;
  });

  /** Sends a request with these headers, some of which `fetch` would join or reject. */
  const get = (headers: Record<string, string | string[]>): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port: server.port(), path: '/traced', headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      });
      sent.on('error', reject).end();
    });
  const traceIds = async () => {
    // The last line of a request may be written after its client has read the response.
    await eventually(() => lines.some(({ event }) => event === 'http.request_served'));
    return lines.map(({ event, trace_id: id }) => [event, id]);
  };

  it.each([
    ['answered', {}, 200],
    ['refused', { 'x-fail': '1' }, 409],
  ])('continues the trace of its sender in a new span, which every log line names: %s', async (_what, more, status) => {
    expect(await get({ TraceParent: HEADER, tracestate: 'vendor=private', ...more })).toBe(status);
    expect(seen).toEqual([expect.stringMatching(new RegExp(`^00-${TRACE}-(?!b7ad6b7169203331)[0-9a-f]{16}-01$`))]);
    expect(await traceIds()).toEqual([
      ['test.handled', TRACE],
      ['http.request_served', TRACE],
    ]);
    expect(lines.map((line) => line.span_id)).toEqual(lines.map(() => seen[0]?.slice(36, 52)));
    expect(JSON.stringify(lines)).not.toContain('vendor');
  });

  it.each<[string, Record<string, string | string[]>]>([
    ['none', {}],
    ['a malformed one', { traceparent: HEADER.toUpperCase() }],
    ['one of zeros', { traceparent: `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01` }],
    ['two', { traceparent: [HEADER, HEADER] }],
    ['a long one', { traceparent: `${HEADER}${'x'.repeat(8000)}` }],
  ])('is new for a request with %s, which is answered as any other', async (_what, headers) => {
    expect(await get(headers)).toBe(200);
    const [begun = ''] = seen;
    expect(begun).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(begun).not.toContain(TRACE);
    expect(await traceIds()).toEqual([
      ['test.handled', begun.slice(3, 35)],
      ['http.request_served', begun.slice(3, 35)],
    ]);
  });
});
