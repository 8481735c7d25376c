import { useFlows } from '../../../testing/flow-tests.ts';

const { create, gateway, token, viewer } = useFlows();
const SECRET = { host: 'api.example.com', header: 'Authorization', value: 'Bearer {{secret.API_TOKEN}}' };

describe('the network access of a flow', () => {
  it('is empty by default, and can be saved, read, changed and sent back unchanged (FLOW-48, FLOW-49)', async () => {
    const { body } = await create();
    expect(body).toMatchObject({ network_allow: [], network_secrets: null });
    const change = async (fields: object) => {
      const answer = await gateway().call('PATCH', `/api/v1/flows/${body.id}`, { token: token(), body: fields });
      expect(answer.status).toBe(200);
      return answer.body;
    };
    const named = { network_allow: ['registry.npmjs.org', '*.example.com:8443'], network_secrets: [SECRET] };
    expect(await change(named)).toMatchObject(named);
    expect(await change({ description: 'other' })).toMatchObject(named);
    const read = await gateway().call('GET', `/api/v1/flows/${body.id}`, { token: viewer() });
    expect(read.body).toMatchObject(named);
    expect(await change({ network_allow: [], network_secrets: null })).toMatchObject({
      network_allow: [],
      network_secrets: null,
    });
  });

  it.each([
    [{ network_allow: ['https://example.com'] }, 'network_allow.0'],
    [{ network_allow: ['example.com', '10.0.0.0/8'] }, 'network_allow.1'],
    [{ network_allow: ['a.example:99999'] }, 'network_allow.0'],
    [{ network_allow: ['127.1'] }, 'network_allow.0'],
    [{ network_secrets: [{ ...SECRET, host: '*.example.com' }] }, 'network_secrets.0.host'],
    [{ network_secrets: [{ ...SECRET, host: 'example.com:8443' }] }, 'network_secrets.0.host'],
    [{ network_secrets: [{ ...SECRET, header: 'Host' }] }, 'network_secrets.0.header'],
    [{ network_secrets: [{ ...SECRET, header: 'a b' }] }, 'network_secrets.0.header'],
    [{ network_secrets: [{ ...SECRET, value: 'Bearer in-clear' }] }, 'network_secrets.0.value'],
    [
      { network_secrets: [SECRET, { ...SECRET, header: 'authorization', host: 'API.example.com.' }] },
      'network_secrets.1',
    ],
  ])('is refused with the name of the field if no worker could use it: %j', async (fields, field) => {
    const created = await create(fields);
    expect([created.status, created.body.detail]).toMatchObject([422, { field }]);
    const { body } = await create();
    const changed = await gateway().call('PATCH', `/api/v1/flows/${body.id}`, { token: token(), body: fields });
    expect([changed.status, changed.body.detail]).toMatchObject([422, { field }]);
  });

  it.each([
    ['not a list', { network_allow: '*' }],
    ['null', { network_allow: null }],
    ['a line feed in a header', { network_secrets: [{ ...SECRET, value: '{{secret.A}}\r\nx: y' }] }],
    ['too many entries', { network_allow: Array(101).fill('a.example') }],
    ['an additional field', { network_secrets: [{ ...SECRET, port: 1 }] }],
  ])('is refused: %s', async (_what, fields) => {
    expect((await create(fields)).status).toBe(422);
  });
});
