import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { inlineReferences, scaleLimit, seedCampaign, sizeCampaign } from '@steward/testing';
import { createFuzzInputs, type FuzzInputs } from './testing/fuzz-inputs.ts';
import { startTestGateway, type TestGateway } from './testing/start-gateway.ts';

const REQUESTS_PER_ROUTE = sizeCampaign({ daily: 30, full: 1000 });
const CONCURRENCY = 16;
/** Time limit of one request, longer than a busy machine needs; the whole work is bounded by its number of requests. */
const REQUEST_MS = scaleLimit(60_000);
/** Time limit of the test, which only distinguishes an endless loop from a slow machine. */
const TIMEOUT_MS = scaleLimit(25 * 60_000);

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly bodySchema: unknown;
  readonly queryNames: readonly string[];
  /** Whether the route returns HTML pages, even for errors. */
  readonly isPage: boolean;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** Tests every route in the served OpenAPI document, so that new routes are fuzzed without being named here. */
describe('malformed requests', () => {
  let gateway: TestGateway;
  const spares: string[] = [];
  let token: string;
  let operations: Operation[];
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });
  const crashes: unknown[] = [];
  const noteCrash = (reason: unknown): void => void crashes.push(reason);

  beforeAll(async () => {
    process.on('unhandledRejection', noteCrash);
    gateway = await startTestGateway({
      LOG_LEVEL: 'error',
      // This edition has every route.
      SERVICE_EDITION: 'enterprise',
      ACCOUNT_RATE_PER_MINUTE: '1000000',
      FLOW_TRIGGER_RATE_PER_MINUTE: '1000000',
    });
    for (let spare = 0; spare < 4; spare += 1) spares.push((await gateway.registerAccount()).accessToken);
    token = spares.pop() ?? '';
    const { body } = await gateway.call('GET', '/docs/api/openapi.json');
    operations = listOperations(body);
  });
  afterAll(async () => {
    process.off('unhandledRejection', noteCrash);
    agent.destroy();
    await gateway.close();
  });

  it(
    `${REQUESTS_PER_ROUTE} against every route: no 500, every refusal has the error body, the service stays healthy`,
    async () => {
      const seed = seedCampaign();
      const inputs = createFuzzInputs(seed);
      const problems: string[] = [];
      expect(operations.length).toBeGreaterThan(40);
      for (const operation of operations) {
        await stayLoggedIn();
        const requests = Array.from({ length: REQUESTS_PER_ROUTE }, () => buildRequest(operation, inputs));
        await inParallel(requests, async (sent) => {
          const answer = await send(sent);
          const problem = judge(answer, operation);
          if (problem !== undefined && problems.length < 10) {
            problems.push(
              `${operation.method} ${sent.path.slice(0, 200)}: ${problem}; body ${sent.body?.toString('utf8').slice(0, 300) ?? 'none'}`,
            );
          }
        });
      }
      expect({ seed, problems, crashes }).toEqual({ seed, problems: [], crashes: [] });
      expect((await gateway.call('GET', '/api/v1/health')).body.status).toBe('healthy');
    },
    TIMEOUT_MS,
  );

  it('that are not HTTP receive the error body or a closed connection', async () => {
    const inputs = createFuzzInputs(7);
    for (let round = 0; round < 200; round += 1) {
      const rubbish = inputs.pick([
        () => Buffer.from(Array.from({ length: 300 }, () => inputs.integer(256))),
        () => Buffer.from('GET / HTTP/9.9\r\n\r\n'),
        () => Buffer.from(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`),
        () => Buffer.from('POST /api/v1/flows HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'),
      ])();
      const text = await exchange(gateway.url, rubbish);
      if (text !== '') expect(text).toMatch(/^HTTP\/1\.1 4\d\d [\s\S]*"detail":\{"code"/);
    }
    expect((await gateway.call('GET', '/api/v1/health')).status).toBe(200);
  });

  /**
   * Switches to a spare login if a route has logged the user out; another login may be refused after too many wrong
   * passwords.
   */
  async function stayLoggedIn(): Promise<void> {
    if ((await gateway.call('GET', '/api/v1/users/me', { token })).status === 200) return;
    const spare = spares.pop();
    if (spare === undefined) throw new Error('more routes log out than there are spare logins');
    token = spare;
  }

  interface FuzzRequest {
    readonly method: string;
    readonly path: string;
    readonly headers: Record<string, string>;
    readonly body: Buffer | undefined;
  }

  function buildRequest(operation: Operation, inputs: FuzzInputs): FuzzRequest {
    const path = operation.path.replaceAll(/\{\w+\}/g, () => inputs.segment());
    const headers: Record<string, string> = {};
    if (inputs.integer(20) > 0) headers.authorization = `Bearer ${token}`;
    let body: Buffer | undefined;
    if (operation.method !== 'GET' && operation.method !== 'DELETE') {
      const built = inputs.body(operation.bodySchema);
      body = built.bytes;
      if (built.type !== '') headers['content-type'] = built.type;
    }
    return { method: operation.method, path: `${path}${inputs.queryString(operation.queryNames)}`, headers, body };
  }

  function send(sent: FuzzRequest): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const outgoing = httpRequest(`${gateway.url}/`, {
        agent,
        method: sent.method,
        path: sent.path,
        headers: { ...sent.headers, 'content-length': String(sent.body?.length ?? 0) },
      });
      outgoing.setTimeout(REQUEST_MS, () => outgoing.destroy(new Error(`no response within ${REQUEST_MS} ms`)));
      outgoing.once('error', (error) =>
        reject(
          new Error(
            `${sent.method} ${sent.path.slice(0, 100)} (reused socket: ${String(outgoing.reusedSocket)}): ${error.message}; ${sent.body?.toString('utf8').slice(0, 100) ?? ''}`,
          ),
        ),
      );
      outgoing.once('response', (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.once('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers['content-type'] ?? '',
            text: Buffer.concat(parts).toString('utf8'),
          }),
        );
        response.once('error', reject);
      });
      outgoing.end(sent.body);
    });
  }
});

function listOperations(document: {
  paths: Record<string, Record<string, unknown>>;
  components: { schemas: Record<string, unknown> };
}): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const {
        requestBody,
        responses = {},
        parameters = [],
      } = operation as {
        requestBody?: { content: Record<string, { schema: unknown }> };
        responses?: Record<string, { content?: Record<string, unknown> }>;
        parameters?: { in: string; name: string }[];
      };
      return {
        method: method.toUpperCase(),
        path,
        bodySchema: inlineReferences(Object.values(requestBody?.content ?? {})[0]?.schema, document.components.schemas),
        queryNames: parameters.filter((parameter) => parameter.in === 'query').map((parameter) => parameter.name),
        isPage: Object.hasOwn(responses['200']?.content ?? {}, 'text/html'),
      };
    }),
  );
}

function judge({ status, type, text }: Answer, { isPage, path }: Operation): string | undefined {
  if (status >= 500) return `status ${status}: ${text.slice(0, 300)}`;
  if (status < 400 || (isPage && type.startsWith('text/html') && text.startsWith('<!doctype html>'))) return undefined;
  // Errors of the exporter routes are encoded like the request.
  if (path.startsWith('/otlp/') && type === 'application/x-protobuf') return undefined;
  try {
    const fits = path.startsWith('/otlp/') ? isStatus(JSON.parse(text)) : isErrorBody(JSON.parse(text));
    return fits ? undefined : `status ${status} without the error body: ${text.slice(0, 300)}`;
  } catch {
    return `status ${status} with a body that is no JSON: ${text.slice(0, 300)}`;
  }
}

function isErrorBody(value: unknown): boolean {
  const body = value as { detail?: { code?: unknown; message?: unknown }; request_id?: unknown };
  return (
    typeof body.detail?.code === 'string' &&
    typeof body.detail.message === 'string' &&
    typeof body.request_id === 'string'
  );
}

/** Returns whether a value is a google.rpc.Status, the error format of OpenTelemetry exporters. */
function isStatus(value: unknown): boolean {
  return typeof (value as { message?: unknown }).message === 'string';
}

async function inParallel<T>(work: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (next < work.length) await run(work[next++] as T);
    }),
  );
}

/** Sends bytes over a new connection; returns the server's response up to the end of the connection. */
function exchange(url: string, bytes: Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.end(bytes));
    socket.on('data', (data) => (text += data.toString('latin1')));
    socket.once('close', () => resolve(text));
    socket.once('error', () => socket.destroy());
  });
}
