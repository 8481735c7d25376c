import { Type } from '@sinclair/typebox';
import type { Principal } from '@steward/contracts';
import { createLogger, createMetrics } from '@steward/process';
import { createHttpApp, type HttpAppOptions } from '../create-http-app.ts';
import { createHttpServer } from '../create-http-server.ts';
import type { Route } from '../define-route.ts';
import type { RequestGate, WorkOnBody } from '../handle-request.ts';

/** Caller with the credential `good`. */
export const DANA: Principal = {
  kind: 'api_key',
  accountId: 'account',
  userId: 'user',
  username: 'dana',
  apiKeyId: 'key',
  role: 'viewer',
  permissions: new Set(['view_flows']),
  runtimePrincipal: undefined,
};

interface Options extends Partial<Omit<HttpAppOptions, 'gate'>> {
  /** Routes of one API surface without a prefix; further surfaces are passed as `surfaces`. */
  readonly routes?: readonly Route[];
  readonly workOnBody?: WorkOnBody;
  readonly gate?: Partial<RequestGate>;
}

/** Sets up the test file: a server with these routes. */
export function useHttpApp({ routes = [], workOnBody, gate = {}, ...options }: Options) {
  const app = createHttpApp({
    gate: {
      authenticate: (credential) => Promise.resolve(credential === 'good' ? DANA : undefined),
      ...(workOnBody === undefined ? {} : { workOnBody }),
      ...gate,
    },
    logger: createLogger({ service: 'test', level: 'error', pretty: false }),
    metrics: createMetrics('test'),
    surfaces: [{ prefix: '', auditSource: 'console', routes }],
    ...options,
  });
  const server = createHttpServer({ app, host: '127.0.0.1', port: 0, variable: 'PORT' });
  beforeAll(() => server.start?.());
  afterAll(() => server.stop?.());
  return {
    server,
    url: () => `http://127.0.0.1:${server.port()}`,
    call: (path: string, init: RequestInit = {}): Promise<Response> =>
      fetch(`http://127.0.0.1:${server.port()}${path}`, {
        ...init,
        headers: { 'x-request-id': 'one', ...init.headers },
      }),
  };
}

export const AS_DANA = { authorization: 'Bearer good', 'content-type': 'application/json' } as const;

/** Required parts of a route declaration whose values are irrelevant for a test. */
export const ABOUT = {
  operationId: 'doThing',
  tag: 'things',
  summary: 'A thing.',
  permissions: [],
  unaudited: 'It is a test.',
  responses: {},
} as const;

/** Parts of a route that changes one resource, for an authenticated caller. */
export const CHANGE_THING = {
  ...ABOUT,
  method: 'post',
  path: '/things/{thing_id}',
  auth: 'bearer',
  params: Type.Object({ thing_id: Type.String() }),
} as const;
