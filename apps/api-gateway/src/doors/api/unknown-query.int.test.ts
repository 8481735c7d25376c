import { startTestGateway, type TestGateway } from '../../testing/start-gateway.ts';
import { newId } from '@steward/crypto';

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema?: { readonly enum?: readonly string[] };
}

interface Operation {
  readonly parameters?: readonly Parameter[];
}

/** What a list cannot do without, so that the unknown key is all that is wrong. */
const listNeeded = ({ parameters = [] }: Operation = {}): string[] =>
  parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required === true)
    .map(({ name, schema }) => `&${name}=${schema?.enum?.[0] ?? ''}`);

describe('a list asked with a query key it does not know', () => {
  let gateway: TestGateway;
  beforeAll(async () => void (gateway = await startTestGateway()));
  afterAll(() => gateway.close());

  it('says so instead of answering something else, on every route that has a query (API-3)', async () => {
    const { accessToken: token } = await gateway.registerAccount();
    const { body } = await gateway.call('GET', '/docs/api/openapi.json');
    const paths = Object.entries(body.paths as Record<string, { readonly get?: Operation }>);
    const lists = paths.filter(([, { get }]) => get?.parameters?.some((parameter) => parameter.in === 'query'));
    expect(lists.length).toBeGreaterThan(9);
    for (const [template, { get }] of lists) {
      const path = template.replaceAll(/\{\w+\}/g, () => newId());
      const answer = await gateway.call('GET', `${path}?pricipal=typo${listNeeded(get).join('')}`, { token });
      expect([template, answer.status, answer.body.detail.field]).toEqual([template, 422, 'pricipal']);
    }
  });
});
