import { TIMEOUT_MS } from '@steward/testing';
import { buildRequestHeaders } from '@steward/webhooks';
import { useEventWebhooks } from '../../../testing/event-webhook-tests.ts';

const tests = useEventWebhooks();
const { call } = tests;

interface Created {
  readonly id: string;
  readonly secret: string;
}

async function addListener(body: object = {}): Promise<Created> {
  const { status, body: created } = await call('POST', '/listeners', body);
  expect(status).toBe(201);
  return created as Created;
}

interface Message {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

function parseMessage(text: string): Message {
  const line = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1] ?? '';
  return { id: line('id'), event: line('event'), data: line('data') };
}

interface Stream {
  readonly response: Response;
  /** The next message that is not a ping. */
  next(): Promise<Message>;
  nextPing(): Promise<Message>;
  /** Resolves when the service closes the connection. */
  ended(): Promise<void>;
  close(): void;
}

interface Opening {
  readonly lastEventId?: string;
  readonly query?: string;
  readonly url?: string;
  readonly token?: string;
}

async function open(id: string, { lastEventId, query = '', ...from }: Opening = {}): Promise<Stream> {
  const { url = tests.gateway.url, token = tests.owner.accessToken } = from;
  const ending = new AbortController();
  const response = await fetch(`${url}/api/v1/event-webhooks/listeners/${id}/events${query}`, {
    headers: {
      authorization: `Bearer ${token}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
    signal: AbortSignal.any([ending.signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  const waiting: Message[] = [];
  let rest = '';
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  const take = async (wanted: (event: Message) => boolean): Promise<Message> => {
    for (;;) {
      const found = waiting.find(wanted);
      if (found !== undefined) {
        waiting.splice(0, waiting.indexOf(found) + 1);
        return found;
      }
      const part = await reader?.read();
      if (part === undefined || part.done) throw new Error('the stream ended');
      const texts = (rest + decoder.decode(part.value, { stream: true })).split('\n\n');
      rest = texts.pop() ?? '';
      waiting.push(...texts.map(parseMessage));
    }
  };
  return {
    response,
    next: () => take((event) => event.event !== 'ping'),
    nextPing: () => take((event) => event.event === 'ping'),
    async ended() {
      while ((await reader?.read())?.done === false);
    },
    close: () => ending.abort(),
  };
}

async function endSession(name: string): Promise<string> {
  const { gateway, owner } = tests;
  const session = { session_source_type: 'test', session_source_id: name };
  const opened = await gateway.call('POST', '/api/v1/runtime-sessions', { token: owner.accessToken, body: session });
  const id = String(opened.body.id);
  await gateway.call('POST', `/api/v1/runtime-sessions/${id}/end`, { token: owner.accessToken, body: {} });
  return id;
}

const read = ({ data }: Message) =>
  JSON.parse(data) as { readonly headers: Record<string, string>; readonly body: string };

describe('a stream of events (HOOK-45)', () => {
  it('contains the same messages as a webhook, signed with the secret of its listener, and can resume after any of them (HOOK-46, HOOK-48)', async () => {
    const { id, secret } = await addListener({ event_types: ['session.ended'] });
    const stream = await open(id);
    expect([stream.response.status, stream.response.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    const sessions = [await endSession('one'), await endSession('two')];
    const [one, two] = [await stream.next(), await stream.next()];
    stream.close();
    for (const [index, message] of [one, two].entries()) {
      const { headers, body } = read(message);
      const event = JSON.parse(body) as { id: string };
      expect(event).toMatchObject({ type: 'session.ended', data: { runtime_session_id: sessions[index] } });
      expect([message.event, headers]).toEqual([
        'session.ended',
        buildRequestHeaders({
          ...{ eventId: event.id, eventType: 'session.ended', attemptNumber: 1, secrets: [secret] },
          deliveryId: headers['X-Service-Delivery-Id'] ?? '',
          timestamp: Number(headers['webhook-timestamp']),
          traceparent: headers['traceparent'] ?? null,
          body: Buffer.from(body),
        }),
      ]);
    }
    const again = await open(id, { lastEventId: one.id });
    const repeated = await again.next();
    again.close();
    expect(read(repeated).body).toBe(read(two).body);
    expect(read(repeated).headers['X-Service-Delivery-Id']).toBe(read(two).headers['X-Service-Delivery-Id']);
    const latest = await open(id, { query: '?from=now' });
    const place = (await latest.nextPing()).id;
    const three = await endSession('three');
    expect(read(await latest.next()).body).toContain(three);
    latest.close();
    const sincePing = await open(id, { lastEventId: place });
    expect(read(await sincePing.next()).body).toContain(three);
    sincePing.close();
  });

  it('can be read from any process, and ends when its process stops', async () => {
    const { id } = await addListener();
    const twin = await tests.gateway.startTwin();
    const stream = await open(id, { url: twin.url });
    const session = await endSession('from another process');
    const message = await stream.next();
    expect(read(message).body).toContain(session);
    const [isStopped] = await Promise.all([twin.close(), stream.ended()]);
    expect(isStopped).toBe(true);
    const next = await endSession('while nobody listened');
    const resumed = await open(id, { lastEventId: message.id });
    expect(read(await resumed.next()).body).toContain(next);
    resumed.close();
  });

  it('sends the example and the test event to one listener (HOOK-13, HOOK-43)', async () => {
    const { id } = await addListener({ event_types: ['approval.created'] });
    const stream = await open(id);
    expect((await call('POST', `/endpoints/${id}/test`)).body.delivery_ids).toEqual([]);
    expect((await stream.next()).event).toBe('webhook.test');
    stream.close();
  });

  it('creates a row in the audit log when it begins (HOOK-47)', async () => {
    const { id } = await addListener();
    const stream = await open(id);
    await stream.nextPing();
    stream.close();
    const { rows } = await tests.admin.query(
      `select action, status, details from gateway.audit_log where resource_id = $1 and resource_type = 'event_webhook_listener'
       order by id`,
      [id],
    );
    expect(rows).toEqual([
      { action: 'create', status: 'success', details: { event_types: [] } },
      { action: 'listen', status: 'success', details: { resumed: false } },
    ]);
  });

  it('is refused if the position is invalid or no longer available, or if the listener does not exist', async () => {
    const { id } = await addListener();
    const refusal = async (listener: string, headers: Record<string, string>, token = tests.owner.accessToken) => {
      const { status, body } = await call('GET', `/listeners/${listener}/events`, undefined, { token, headers });
      return [status, body.detail.code];
    };
    expect(await refusal(id, { 'last-event-id': '900000000000:900000000000:' })).toEqual([410, 'place_gone']);
    expect(await refusal(id, { 'last-event-id': 'x' })).toEqual([422, 'invalid_request']);
    const stranger = await tests.gateway.registerAccount();
    expect(await refusal(id, {}, stranger.accessToken)).toEqual([404, 'not_found']);
    expect((await call('DELETE', `/listeners/${id}`)).status).toBe(204);
    expect(await refusal(id, {})).toEqual([404, 'not_found']);
  });
});

describe('listeners', () => {
  it('are created, listed, changed and deleted, and are not listed as endpoints (HOOK-45)', async () => {
    const one = await addListener({ description: 'laptop', event_types: ['session.ended', 'session.ended'] });
    const two = await addListener();
    const first = await call('GET', '/listeners?limit=1');
    expect(first.body.items).toMatchObject([{ id: two.id, description: '', event_types: [] }]);
    const { items, next_cursor: end } = (await call('GET', `/listeners?limit=1&cursor=${first.body.next_cursor}`)).body;
    expect([items, end]).toEqual([
      [
        {
          ...{ id: one.id, description: 'laptop', event_types: ['session.ended'], secret_hint: one.secret.slice(-4) },
          ...{ created_at: expect.stringMatching(/Z$/), seen_at: expect.stringMatching(/Z$/) },
        },
      ],
      null,
    ]);
    const changed = await call('PATCH', `/listeners/${one.id}`, { event_types: ['approval.created'] });
    expect(changed.body).toMatchObject({ description: 'laptop', event_types: ['approval.created'] });
    expect((await call('PATCH', `/listeners/${one.id}`, { event_types: ['nothing'] })).body.detail.code).toBe(
      'unknown_event_type',
    );
    expect((await call('GET', '/endpoints')).body.items).toEqual([]);
    for (const [method, path] of [
      ['GET', `/endpoints/${one.id}`],
      ['DELETE', `/endpoints/${one.id}`],
      ['POST', `/endpoints/${one.id}/secret/rotate`],
    ] as const)
      expect((await call(method, path, method === 'POST' ? {} : undefined)).status).toBe(404);
    expect((await call('DELETE', `/listeners/${one.id}`)).status).toBe(204);
    expect((await call('PATCH', `/listeners/${one.id}`, {})).status).toBe(404);
  });

  it('require the permission for endpoints, including for the stream (HOOK-47)', async () => {
    const { id } = await addListener();
    const key = await tests.gateway.call('POST', '/api/v1/auth/api-keys', {
      token: tests.owner.accessToken,
      body: { name: 'reader', scopes: ['view_policies'] },
    });
    const token = String(key.body.key);
    expect((await call('GET', '/listeners', undefined, { token })).status).toBe(200);
    for (const [method, path] of [
      ['POST', '/listeners'],
      ['PATCH', `/listeners/${id}`],
      ['DELETE', `/listeners/${id}`],
      ['GET', `/listeners/${id}/events`],
    ] as const) {
      const { body } = await call(method, path, method === 'GET' ? undefined : {}, { token });
      expect([path, body.detail.permission]).toEqual([path, 'manage_policies']);
    }
  });

  it('are limited to 20 (LIM-103)', async () => {
    for (let count = 0; count < 20; count += 1) await addListener();
    expect((await call('POST', '/listeners', {})).body.detail).toMatchObject({ code: 'quota_reached', limit: 20 });
  });
});
