import { startTestGateway, type TestGateway } from '../../testing/start-gateway.ts';
import { newId } from '@steward/crypto';

interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
}

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
    for (const [template] of lists) {
      const path = template.replaceAll(/\{\w+\}/g, () => newId());
      const answer = await gateway.call('GET', `${path}?pricipal=typo`, { token });
      expect([template, answer.status, answer.body.detail.field]).toEqual([template, 422, 'pricipal']);
    }
  });
});
