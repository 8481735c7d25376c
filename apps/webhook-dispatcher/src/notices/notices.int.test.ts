import { EVENT_TYPES } from '@steward/contracts';
import { newId } from '@steward/crypto';
import { eventually, type ReceivedRequest } from '@steward/testing';
import {
  CHANNEL_KINDS,
  createChannel,
  ENDPOINT_FAILING,
  NOTICE_TYPES,
  sendTestNotice,
  type ChannelKind,
  type NoticeType,
} from '@steward/webhooks';
import { FAST_SCHEDULE, useDispatching } from '../testing/use-dispatching.ts';

const dispatching = useDispatching();
const SITE = 'https://steward.example.test';
const TOKEN = 'tk_a-token-of-ntfy';

interface NewTestChannel {
  readonly kind?: ChannelKind;
  readonly url?: string;
  readonly notices?: readonly NoticeType[];
  readonly accountId?: string;
  readonly token?: string;
}

async function addChannel(fields: NewTestChannel = {}): Promise<{ readonly accountId: string; readonly id: string }> {
  const { suite, receiver } = dispatching;
  const { kind = 'slack', url = `${receiver.url}/room`, notices = NOTICE_TYPES, accountId = newId(), token } = fields;
  const input = { accountId, kind, url, token, notices, description: '' };
  const outcome = await suite.write((trx) => createChannel(trx, input, suite.secretBox));
  if (outcome.kind !== 'created') throw new Error(outcome.kind);
  return { accountId, id: outcome.channel.id };
}

const parse = ({ body }: ReceivedRequest) => JSON.parse(body.toString()) as Record<string, unknown>;

/** Returns everything that a reader of the notice sees, and its link. */
interface Shown {
  readonly title: string;
  readonly text: string;
  readonly link: string;
}

interface SlackBlock {
  readonly type: string;
  readonly text?: { readonly type: string; readonly text: string };
  readonly fields?: readonly { readonly type: string; readonly text: string }[];
}

/** Reads a message as its service does, and checks the form that the service requires. */
const READ: Record<ChannelKind, (request: ReceivedRequest) => Shown> = {
  slack(request) {
    expect(request.path).toBe('/room');
    const { text, blocks } = parse(request) as { text: string; blocks: readonly SlackBlock[] };
    expect(text).not.toBe('');
    const [header, ...sections] = blocks;
    expect(header).toMatchObject({ type: 'header', text: { type: 'plain_text' } });
    expect(sections.map(({ type }) => type)).toEqual(sections.map(() => 'section'));
    const fields = sections.flatMap((section) => section.fields ?? []);
    expect(fields.length).toBeLessThanOrEqual(10);
    const link = /^<([^|>]+)\|[^>]+>$/.exec(sections.at(-1)?.text?.text ?? '')?.[1] ?? '';
    return { title: header!.text!.text, text: fields.map((field) => field.text).join('\n'), link };
  },
  teams(request) {
    expect(request.path).toBe('/room');
    const { type, attachments } = parse(request) as {
      type: string;
      attachments: readonly {
        contentType: string;
        content: {
          type: string;
          version: string;
          body: readonly { type: string; inlines: readonly { type: string; text: string }[] }[];
          actions: readonly { type: string; url: string }[];
        };
      }[];
    };
    expect([type, attachments.length]).toEqual(['message', 1]);
    const [{ contentType, content }] = attachments as [(typeof attachments)[number]];
    expect([contentType, content.type, content.version]).toEqual([
      'application/vnd.microsoft.card.adaptive',
      'AdaptiveCard',
      '1.4',
    ]);
    const [title, ...facts] = content.body.map((block) => {
      expect(block.type).toBe('RichTextBlock');
      return block.inlines.map((inline) => inline.text).join('');
    });
    expect(content.actions).toEqual([{ type: 'Action.OpenUrl', title: expect.any(String), url: expect.any(String) }]);
    return { title: title!, text: facts.join('\n'), link: content.actions[0]!.url };
  },
  ntfy(request) {
    expect([request.path, request.headers.authorization]).toEqual(['/', `Bearer ${TOKEN}`]);
    const body = parse(request) as { topic: string; title: string; message: string; priority: number; click: string };
    expect(body.topic).toBe('room');
    expect([3, 4, 5]).toContain(body.priority);
    return { title: body.title, text: body.message, link: body.click };
  },
};

/** Title, a part of the text, and path of the page of each notice. */
const NOTICES: Record<NoticeType, readonly [title: string, text: string, path: string]> = {
  'approval.created': [
    'Approval needed: deploy_service',
    'Release bot wants to call deploy_service',
    `/approvals/${EVENT_TYPES['approval.created'].example.approval_request_id}`,
  ],
  'approval.decided': [
    'Request approved: deploy_service',
    'Release window is open.',
    `/approvals/${EVENT_TYPES['approval.created'].example.approval_request_id}`,
  ],
  'budget.threshold': ['Budget: 80.24% used', '40.12 of 50 USD', '/budgets'],
  'budget.exceeded': ['Budget used up: ', ' USD', '/budgets'],
  [ENDPOINT_FAILING]: ['Deliveries fail: Example receiver', 'HTTP 503', '/event-webhooks/endpoints/'],
  'policy.denied': [
    'Call denied: delete_database',
    'Agents never drop databases',
    `/executions/${EVENT_TYPES['policy.denied'].example.execution_id}`,
  ],
  'agent.discovered': ['New agent found: coding_assistant', '1.8.2', '/agents/discovered'],
  'cra.reportable_vulnerability': [
    'Exploited vulnerability found: CVE-2026-10001',
    '2026-11-21 06:00 UTC',
    `/executions/${EVENT_TYPES['cra.reportable_vulnerability'].example.execution_id}`,
  ],
};

describe('a notice', () => {
  it.each(CHANNEL_KINDS.flatMap((kind) => NOTICE_TYPES.map((notice) => ({ kind, notice }))))(
    'about $notice is posted to $kind in the format of that service, with a link to the console (NTC-5, NTC-6)',
    async ({ kind, notice }) => {
      const { suite, receiver } = dispatching;
      await suite.startDispatcher({ PUBLIC_URL: SITE });
      const { accountId, id } = await addChannel({ kind, ...(kind === 'ntfy' ? { token: TOKEN } : {}) });
      const test = { accountId, channelId: id, requestedByUserId: null, now: new Date(), notice };
      await suite.write((trx, hints) => sendTestNotice(trx, hints, test, { maxPendingPerAccount: 10 }));
      const [request] = await receiver.waitForRequests(1);
      expect([request!.method, request!.headers['content-type']]).toEqual(['POST', 'application/json']);
      const shown = READ[kind](request!);
      const [title, text, path] = NOTICES[notice];
      expect(shown.title).toContain(title);
      expect(shown.text).toContain(text);
      expect(shown.link).toContain(`${SITE}${path}`);
    },
  );

  it('is posted only to the channels that receive its type, of its account (NTC-2)', async () => {
    const { suite, receiver } = dispatching;
    await suite.startDispatcher();
    const { accountId } = await addChannel({ url: `${receiver.url}/approvals`, notices: ['approval.created'] });
    await addChannel({ url: `${receiver.url}/denials`, notices: ['policy.denied'], accountId });
    await addChannel({ url: `${receiver.url}/other`, notices: ['approval.created'] });
    await suite.emitChanged(accountId, 'approval.created', {});
    await suite.emitChanged(accountId, 'policy.denied', {});
    await eventually(async () => (await suite.list({ accountId, status: 'delivered' })).length === 2);
    expect(receiver.requests.map(({ path }) => path).sort()).toEqual(['/approvals', '/denials']);
  });

  it('is tried again with the waits of deliveries, and the response of the service is stored (NTC-7)', async () => {
    const { suite, receiver } = dispatching;
    receiver.respondWith((_request, response, index) =>
      index === 0 ? void response.writeHead(400).end('invalid_payload') : void response.writeHead(200).end('ok'),
    );
    await suite.startDispatcher({}, FAST_SCHEDULE);
    const { accountId } = await addChannel();
    const [deliveryId] = await suite.emitChanged(accountId, 'policy.denied', {});
    await eventually(async () => (await suite.list({ accountId, status: 'delivered' })).length === 1);
    const { attempts, request } = await suite.read(accountId, deliveryId!);
    expect(attempts.map(({ responseStatus, answer }) => [responseStatus, answer])).toEqual([
      [400, 'invalid_payload'],
      [200, 'ok'],
    ]);
    expect(request).toBeUndefined();
  });

  it('is not posted to a private target (NTC-4)', async () => {
    const { suite, receiver } = dispatching;
    await suite.startDispatcher({ WEBHOOK_BLOCK_PRIVATE_TARGETS: 'true' });
    const { accountId } = await addChannel();
    const [deliveryId] = await suite.emitChanged(accountId, 'policy.denied', {});
    const attempt = await eventually(async () => (await suite.read(accountId, deliveryId!)).attempts[0]);
    expect(attempt).toMatchObject({ errorClass: 'target_blocked', remoteAddress: null });
    expect(receiver.requests).toHaveLength(0);
  });
});

describe('a delivery that is given up while the breaker of its endpoint is closed', () => {
  const patient = { WEBHOOK_CIRCUIT_FAILURE_THRESHOLD: '100', PUBLIC_URL: SITE };

  it('is reported at once, and after the hour with the number of all, if there were more (NTC-13)', async () => {
    const { suite, receiver } = dispatching;
    receiver.respondWith((request, response) => void response.writeHead(request.path === '/room' ? 200 : 503).end());
    const { accountId } = await addChannel({ notices: [ENDPOINT_FAILING] });
    const endpoint = await suite.addEndpoint(`${receiver.url}/receiver`, ['session.ended'], accountId);
    await Promise.all([suite.startDispatcher(patient, FAST_SCHEDULE), suite.startDispatcher(patient, FAST_SCHEDULE)]);
    await suite.emit(accountId);
    const notices = () => receiver.requests.filter(({ path }) => path === '/room').map((it) => READ.slack(it));
    await eventually(() => notices().length === 1);
    expect(notices()[0]).toMatchObject({
      title: `Deliveries given up: ${receiver.url}`,
      text: expect.stringMatching(/Deliveries given up[^\d]*1\b/),
      link: expect.stringContaining(`${SITE}/event-webhooks/endpoints/${endpoint.id}`),
    });
    const of = `where endpoint_id = '${endpoint.id}'`;
    await eventually(
      async () => (await suite.query(`select told from webhooks.given_up ${of}`, [])).rows[0]?.told === 1,
    );
    // Two more are given up, and the hour ends.
    await suite.query(`update webhooks.given_up set deliveries = 3, hour = hour - interval '1 hour' ${of}`, []);
    await eventually(() => notices().length === 2);
    expect(notices()[1]?.text).toMatch(/Deliveries given up[^\d]*3\b/);
    const { rows } = await suite.query(
      `select count(*)::int as n from webhooks.event where account_id = $1 and type = $2`,
      [accountId, ENDPOINT_FAILING],
    );
    expect(rows).toEqual([{ n: 2 }]);
  });
});

describe('an endpoint whose breaker opens', () => {
  const failing = { WEBHOOK_CIRCUIT_FAILURE_THRESHOLD: '2', PUBLIC_URL: SITE };

  it('is reported once for each opening, by any number of dispatchers, and not to itself (NTC-3)', async () => {
    const { suite, receiver } = dispatching;
    receiver.respondWith((request, response) => void response.writeHead(request.path === '/room' ? 200 : 503).end());
    const { accountId } = await addChannel({ notices: [ENDPOINT_FAILING] });
    await addChannel({ url: `${receiver.url}/broken`, notices: [ENDPOINT_FAILING, 'policy.denied'], accountId });
    const endpoint = await suite.addEndpoint(`${receiver.url}/receiver`, ['session.ended'], accountId);
    await Promise.all([suite.startDispatcher(failing, FAST_SCHEDULE), suite.startDispatcher(failing, FAST_SCHEDULE)]);
    await suite.emit(accountId);
    const notices = () => receiver.requests.filter(({ path }) => path === '/room').map((it) => READ.slack(it));
    await eventually(() => notices().length > 0);
    // The broken channel gets the notice about the endpoint, fails, and is reported to the other channel.
    await eventually(() => notices().length === 2);
    const links = notices().map(({ link }) => link);
    expect(links).toContain(`${SITE}/event-webhooks/endpoints/${endpoint.id}`);
    expect(notices().map(({ title }) => title)).toEqual(expect.arrayContaining([`Deliveries fail: ${receiver.url}`]));
    const { rows } = await suite.query(
      `select endpoint_id, count(*)::int as n from (
         select endpoint_id from webhooks.delivery where account_id = $1 and event_type = $2
         union all select endpoint_id from webhooks.delivery_done where account_id = $1 and event_type = $2
       ) d group by endpoint_id order by n`,
      [accountId, ENDPOINT_FAILING],
    );
    expect(rows.map(({ n }) => n as number)).toEqual([1, 2]);
  });
});
