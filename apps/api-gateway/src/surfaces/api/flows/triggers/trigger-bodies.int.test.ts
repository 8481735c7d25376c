import { useFlows } from '../../../../testing/flow-tests.ts';

const { countExecutions, createHook, gateway, token } = useFlows();

interface Hook {
  readonly id: string;
  readonly url: string;
}

/** Every route and form in which the body of a trigger can arrive. The manual route also accepts a wrapped payload. */
const DOORS: readonly [string, (hook: Hook) => string, (payload: string) => string][] = [
  ['the inbound webhook', ({ url }) => url, (payload) => payload],
  ['the inbound webhook with the prefix', ({ url }) => `/api/v1${url}`, (payload) => payload],
  ['the manual trigger', ({ id }) => `/flows/${id}/trigger`, (payload) => payload],
  ['the manual trigger with the prefix', ({ id }) => `/api/v1/flows/${id}/trigger`, (payload) => payload],
  ['the manual trigger, wrapped', ({ id }) => `/flows/${id}/trigger`, (payload) => `{"payload":${payload}}`],
  [
    'the manual trigger with the prefix, wrapped',
    ({ id }) => `/api/v1/flows/${id}/trigger`,
    (payload) => `{"payload":${payload}}`,
  ],
];

describe.each(DOORS)('a body sent by %s', (_door, buildUrl, wrap) => {
  const post = (hook: Hook, payload: string | Buffer, type = 'application/json') =>
    gateway().call('POST', buildUrl(hook), { token: token(), body: payload, headers: { 'content-type': type } });

  // Written as JSON source, because the sender chooses how a path is escaped.
  it.each([
    'a\\u0000b',
    '\\u0000',
    'a/\\u0000/b',
    '\\ud800',
    'a\\ud800b',
    'a\\udc00',
    'a\\u0007b',
    'a\\nb',
    'a\\u007f',
    'a\\u0085b',
  ])('is refused with a file at "%s", and creates no execution (FLOW-38)', async (path) => {
    const hook = await createHook();
    const answer = await post(hook, wrap(`{"workspace_files":[{"path":"${path}","content_base64":"QQ=="}]}`));
    expect([answer.status, answer.body.detail?.code]).toEqual([400, 'invalid_workspace_files']);
    expect(await countExecutions(hook.id)).toBe(0);
  });

  it('is refused if its base64 content contains white space that is not ASCII (FLOW-36)', async () => {
    const hook = await createHook();
    const refused = wrap('{"workspace_files":[{"path":"a","content_base64":"QQ\\u00a0=="}]}');
    const answer = await post(hook, refused);
    expect([answer.status, answer.body.detail?.code]).toEqual([400, 'invalid_workspace_files']);
    const wrapped = wrap('{"workspace_files":[{"path":"a","content_base64":" QQ\\r\\n\\t==\\n"}]}');
    expect((await post(hook, wrapped)).status).toBe(202);
    expect(await countExecutions(hook.id)).toBe(1);
  });

  it('is stored with replacements for characters that a text column cannot store', async () => {
    const hook = await createHook();
    const { status, body } = await post(
      hook,
      wrap('{"nul\\u0000":"a\\u0000b","lone":["\\ud800"],"pair":"\\ud83d\\ude00"}'),
    );
    expect(status).toBe(202);
    const execution = await gateway().call('GET', body.status_url, { token: token() });
    expect(execution.body.trigger_event_details.payload).toEqual({
      'nul\ufffd': 'a\ufffdb',
      lone: ['\ufffd'],
      pair: '😀',
    });
  });

  it.each([
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/hal+json; Charset=UTF8',
  ])('is accepted as %s', async (type) => {
    expect((await post(await createHook(), wrap('{"a":"ä"}'), type)).status).toBe(202);
  });

  it.each([
    'application/json; charset=latin1',
    'application/json;charset="UTF-16"',
    'application/json; CHARSET=us-ascii',
  ])('is refused with 415 as %s, and creates no execution (API-2)', async (type) => {
    const hook = await createHook();
    const answer = await post(hook, wrap('{"a":1}'), type);
    expect([answer.status, answer.body.detail.code]).toEqual([415, 'unsupported_media_type']);
    expect(await countExecutions(hook.id)).toBe(0);
  });

  it('is refused if it is not an object (FLOW-25)', async () => {
    const hook = await createHook();
    for (const body of ['[1]', '"x"', '7', 'null']) expect((await post(hook, body)).status).toBe(422);
    for (const body of ['{', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])])
      expect((await post(hook, body)).status).toBe(400);
    expect(await countExecutions(hook.id)).toBe(0);
  });
});
