import { startTestGateway, type TestGateway } from '../../../../testing/start-gateway.ts';

const PATH = '/api/v1/session-search/grants';

describe.each(['oss', 'cloud'])('the search grants of agents in the edition %s (SRCH-61)', (edition) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({ SERVICE_EDITION: edition });
  });
  afterAll(() => gateway.close());

  it('respond like an unknown path', async () => {
    const { accessToken: token } = await gateway.registerAccount();
    for (const [method, body] of [['GET'], ['PUT', { grants: [] }], ['PUT', { nonsense: true }]] as const) {
      const answer = await gateway.call(method, PATH, { token, ...(body === undefined ? {} : { body }) });
      expect([method, answer.status, answer.body.detail.code]).toEqual([method, 404, 'not_found']);
    }
    const { body } = await gateway.call('GET', '/docs/api/openapi.json');
    expect(Object.keys(body.paths as object)).not.toContain(PATH);
  });
});
