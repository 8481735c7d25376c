import { keepHeaders, mayKeepHeader } from './kept-headers.ts';
import { SOURCES } from './sources.ts';

const at = (seconds: number) => new Date(seconds * 1000);
const later = (seconds: number) => at(seconds + 301);

const SLACK_BODY =
  'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar' +
  '&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com' +
  '%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';

describe('signature examples from the documentation of the sources (FLOW-51)', () => {
  const github = {
    rawBody: Buffer.from('Hello, World!'),
    secret: "It's a Secret to Everybody",
    headers: { 'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17' },
    now: at(0),
  };
  const slack = {
    rawBody: Buffer.from(SLACK_BODY),
    secret: '8f742231b10e8888abcd99yyyzzz85a5',
    headers: {
      'x-slack-request-timestamp': '1531420618',
      'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
    },
    now: at(1_531_420_700),
  };
  const standard = {
    rawBody: Buffer.from('{"test": 2432232314}'),
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    headers: {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
    now: at(1_614_265_330),
  };

  it('are verified for GitHub', () => {
    expect(SOURCES.github.verify(github)).toBe(true);
    expect(SOURCES.github.verify({ ...github, secret: 'another' })).toBe(false);
    expect(SOURCES.github.verify({ ...github, headers: {} })).toBe(false);
  });

  it('are verified for Jira', () => {
    const jira = {
      rawBody: Buffer.from('Hello World!'),
      secret: "It's a Secret to Everybody",
      headers: { 'x-hub-signature': 'sha256=a4771c39fbe90f317c7824e83ddef3caae9cb3d976c214ace1f2937e133263c9' },
      now: at(0),
    };
    expect(SOURCES.jira.verify(jira)).toBe(true);
    expect(SOURCES.jira.verify({ ...jira, secret: 'another' })).toBe(false);
  });

  it('are verified for GitLab, with its signing token, its secret token, or either of them', () => {
    const both = { ...standard, headers: { ...standard.headers, 'x-gitlab-token': 'the secret token' } };
    expect(SOURCES.gitlab.verify(standard)).toBe(true);
    expect(SOURCES.gitlab.verify({ ...standard, now: later(1_614_265_330) })).toBe(false);
    expect(SOURCES.gitlab.verify(both)).toBe(true);
    expect(SOURCES.gitlab.verify({ ...both, secret: 'the secret token' })).toBe(true);
    expect(SOURCES.gitlab.verify({ ...both, secret: 'another' })).toBe(false);
    expect(SOURCES.gitlab.verify({ ...both, headers: {} })).toBe(false);
  });

  it('are verified for Slack, and are valid for five minutes', () => {
    expect(SOURCES.slack.verify(slack)).toBe(true);
    expect(SOURCES.slack.verify({ ...slack, now: later(1_531_420_618) })).toBe(false);
    expect(SOURCES.slack.verify({ ...slack, now: at(1_531_420_618 - 301) })).toBe(false);
  });

  it('are verified for Standard Webhooks, and are valid for five minutes', () => {
    const headers = { ...standard.headers, 'webhook-signature': `v1,x ${standard.headers['webhook-signature']}` };
    expect(SOURCES.standard_webhooks.verify({ ...standard, headers })).toBe(true);
    expect(SOURCES.standard_webhooks.verify({ ...standard, headers, now: later(1_614_265_330) })).toBe(false);
    for (const secret of ['whsec_', '', '???']) {
      expect(SOURCES.standard_webhooks.verify({ ...standard, headers, secret })).toBe(false);
    }
  });
});

describe('the confirmation of an SNS subscription (FLOW-53)', () => {
  const confirm = (url: string) =>
    SOURCES.sns.readEvent({
      headers: {},
      payload: { Type: 'SubscriptionConfirmation', SubscribeURL: url },
      bodyDigest: '',
    });

  it('starts nothing, and returns the URL to open only if it belongs to Amazon', () => {
    const url = 'https://sns.us-west-2.amazonaws.com/?Action=ConfirmSubscription&Token=2336412f37';
    expect(confirm(url).handshake).toBe(`the subscription is pending until ${url} is opened`);
    for (const other of [
      'https://sns.us-west-2.amazonaws.com.evil.test/',
      'https://evil.test/sns.a.amazonaws.com/',
      '',
    ]) {
      expect(confirm(other).handshake).toContain('do not open it');
    }
  });
});

describe('the headers that a run receives (FLOW-52)', () => {
  it.each([
    ...['Authorization', 'Proxy-Authorization', 'Cookie', 'X-Gitlab-Token', 'X-Hub-Signature-256', 'Stripe-Signature'],
    ...['X-Api-Key', 'x-apikey', 'X-Webhook-Secret', 'X-Amz-Security-Token', 'X-Auth-Request-User'],
  ])('are never %s', (name) => expect(mayKeepHeader(name)).toBe(false));

  it('are those of every source and the selected ones, each truncated to 1,000 characters', () => {
    for (const { headers } of Object.values(SOURCES))
      expect(headers.filter((name) => !mayKeepHeader(name))).toEqual([]);
    const headers = { 'x-a': 'y'.repeat(2_000), 'x-b': ['first', 'second'], 'x-c': ' ', authorization: 'Bearer z' };
    expect(keepHeaders(headers, ['X-A', 'x-b', 'x-c', 'x-d', 'authorization'])).toEqual({
      'x-a': 'y'.repeat(1_000),
      'x-b': 'first',
    });
  });
});

describe('the deduplication of events (FLOW-53)', () => {
  const read = (source: keyof typeof SOURCES, headers: Record<string, string>, payload: object, bodyDigest: string) =>
    SOURCES[source].readEvent({ headers, payload: { ...payload }, bodyDigest }).repeatKey;

  it.each([
    ['github', { 'x-github-delivery': 'd' }, {}, true],
    ['gitlab', { 'x-gitlab-event-uuid': 'd' }, {}, true],
    ['gitlab', { 'x-gitlab-event-uuid': 'd', 'idempotency-key': 'k' }, {}, false],
    ['bitbucket', { 'x-request-uuid': 'd' }, {}, true],
    ['gitea', { 'x-forgejo-delivery': 'd' }, {}, true],
    ['jira', { 'x-atlassian-webhook-identifier': 'd' }, {}, true],
    ['linear', { 'linear-delivery': 'd' }, {}, false],
    ['slack', {}, { type: 'event_callback', event_id: 'Ev1' }, false],
    ['sns', { 'x-amz-sns-message-id': 'd' }, { Type: 'Notification' }, false],
    ['stripe', {}, { id: 'evt_1', type: 'invoice.paid' }, false],
    ['standard_webhooks', { 'webhook-id': 'd' }, {}, false],
    ['cloudevents', {}, { id: '1', source: '/a' }, false],
  ] as const)('from %s with %j %j: a different body is a different event: %p', (source, headers, payload, isOther) => {
    const [first, again, other] = ['a', 'a', 'b'].map((digest) => read(source, headers, payload, digest));
    expect([typeof first, first === again, first !== other]).toEqual(['string', true, isOther]);
    expect(read(source, {}, {}, 'a')).toBeUndefined();
  });
});
