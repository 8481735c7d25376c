import { newId } from '@steward/crypto';
import { openSharedGateway } from '../../testing/shared-gateway.ts';
import type { TestGateway } from '../../testing/start-gateway.ts';

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema?: { readonly format?: string; readonly pattern?: string; readonly enum?: readonly string[] };
}

interface Operation {
  readonly parameters?: readonly Parameter[];
}

/** Paths that accept unknown parameters, because other programs add parameters to them. */
const OPEN_PATHS = [
  '/api/v1/health',
  '/api/v1/livez',
  '/api/v1/readyz',
  '/approval/{token}',
  '/otlp/v1/traces',
  '/webhooks/flows/{flow_id}/{webhook_secret}',
  '/api/v1/webhooks/flows/{flow_id}/{webhook_secret}',
];

/** Returns a value that the parameter accepts, so that the unknown key is the only error. */
function fill({ schema }: Parameter): string {
  if (schema?.enum !== undefined) return schema.enum[0] ?? '';
  if (schema?.format === 'uuid') return newId();
  return new RegExp(schema?.pattern ?? '').test('anything') ? 'anything' : '1';
}

function buildUrl(path: string, { parameters = [] }: Operation): string {
  const filled = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((url, parameter) => url.replace(`{${parameter.name}}`, fill(parameter)), path);
  const needed = parameters.filter((parameter) => parameter.in === 'query' && parameter.required === true);
  return `${filled}?pricipal=typo${needed.map((parameter) => `&${parameter.name}=${fill(parameter)}`).join('')}`;
}

describe('a request with an unknown query key', () => {
  let gateway: TestGateway;
  beforeAll(async () => void (gateway = await openSharedGateway()));
  afterAll(() => gateway.close());

  it('is refused instead of being ignored, on every route of the document (API-3)', async () => {
    const { accessToken: token } = await gateway.registerAccount();
    const { body } = await gateway.call('GET', '/docs/api/openapi.json');
    const operations = Object.entries(body.paths as Record<string, Record<string, Operation>>).flatMap(
      ([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    );
    expect(operations.length).toBeGreaterThan(100);
    const answers = [];
    for (const { path, method, operation } of operations) {
      const { status, body: answer } = await gateway.call(method.toUpperCase(), buildUrl(path, operation), { token });
      const field = status === 422 ? (answer.detail.field as string) : undefined;
      answers.push({ method, path, field });
    }
    expect(answers.filter(({ field }) => field === undefined).map(({ path }) => path)).toEqual(
      expect.arrayContaining(OPEN_PATHS),
    );
    expect(answers.filter(({ path, field }) => field !== 'pricipal' && !OPEN_PATHS.includes(path))).toEqual([]);
  });
});
