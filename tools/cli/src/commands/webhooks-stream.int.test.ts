import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  eventually,
  startHttpReceiver,
  useFolder,
  type HttpReceiver,
  type ReceivedRequest,
  type Respond,
} from '@steward/testing';
import { runHere } from '../testing/run-here.ts';

const SECRET = 'whsec_a2V5a2V5a2V5a2V5a2V5a2V5a2V5a2V5a2V5a2V5a2U=';
const LISTENERS = '/api/v1/event-webhooks/listeners';
type Answer = Parameters<Respond>[1];

/** Builds a message of a stream, signed some seconds ago. */
function message(place: string, { secondsAgo = 0, type = 'session.ended' } = {}): string {
  const body = JSON.stringify({ id: `event-${place}`, type, data: {} });
  const stamp = Math.floor(Date.now() / 1000) - secondsAgo;
  const signature = createHmac('sha256', SECRET).update(`${stamp}.${body}`).digest('hex');
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': String(body.length),
    'X-Service-Event-Id': `event-${place}`,
    'X-Service-Signature': `t=${stamp},v1=${signature}`,
    'webhook-timestamp': String(stamp),
  };
  return `id: ${place}\nevent: ${type}\ndata: ${JSON.stringify({ headers, body })}\n\n`;
}

const ping = (place: string): string => `id: ${place}\nevent: ping\ndata: {}\n\n`;

describe('steward webhooks listen', () => {
  const home = useFolder();
  let service: HttpReceiver;
  let app: HttpReceiver;
  /** Responses to the next streams, in order; the last response is repeated. */
  let streams: ((response: Answer) => void)[];
  let running: Promise<string> | undefined;
  let ending: AbortController;
  let known: boolean;

  beforeEach(async () => {
    streams = [];
    known = true;
    ending = new AbortController();
    app = await startHttpReceiver();
    service = await startHttpReceiver((request, response) => {
      if (request.path.includes('/events')) return (streams.length > 1 ? streams.shift() : streams[0])?.(response);
      response.writeHead(request.method === 'PATCH' && !known ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ account_id: 'account-1', id: 'listener-1', secret: SECRET, event_types: [] }));
    });
  });
  afterEach(async () => {
    ending.abort();
    await running;
    await Promise.all([service.close(), app.close()]);
  });

  const send =
    (...messages: string[]) =>
    (response: Answer): void => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(messages.join(''));
    };
  const sendAndEnd =
    (...messages: string[]) =>
    (response: Answer): void => {
      send(...messages)(response);
      response.end();
    };
  const refuse =
    (status: number, code: string) =>
    (response: Answer): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ detail: { code, message: code } }));
    };

  function listen(...flags: string[]): Promise<string> {
    const args = ['webhooks', 'listen', '--name', 'test', ...flags];
    return runHere(service.url, args, '', ending.signal, { XDG_CONFIG_HOME: home() });
  }

  const start = (...flags: string[]): void => void (running = listen(...flags));
  const streamRequests = (): ReceivedRequest[] => service.requests.filter(({ path }) => path.includes('/events'));
  const places = (): unknown[] => streamRequests().map(({ headers }) => headers['last-event-id']);
  const forwarded = (): unknown[] => app.requests.map(({ headers }) => headers['x-service-event-id']);
  async function stop(): Promise<string> {
    ending.abort();
    return (await running) ?? '';
  }

  it('forwards each event unchanged, prints the response, and continues after that event when the stream ends', async () => {
    streams = [sendAndEnd(ping('1:1:'), message('1:2:')), send(message('1:3:'))];
    start('--forward-to', `${app.url}/hooks?x=1`, '--events', 'session.ended, approval.created');
    await eventually(() => forwarded().length === 2);
    await eventually(() => places().length === 2);
    const printed = await stop();
    expect([places(), forwarded()]).toEqual([
      [undefined, '1:2:'],
      ['event-1:2:', 'event-1:3:'],
    ]);
    const [request] = app.requests;
    expect([request?.path, request?.body.toString()]).toEqual([
      '/hooks?x=1',
      JSON.stringify({ id: 'event-1:2:', type: 'session.ended', data: {} }),
    ]);
    expect(printed).toMatch(/session\.ended {2}event-1:2: {2}responded with 200 in \d+ ms/);
    expect(printed).toContain('listening to approval.created, session.ended');
    // The local program needs the secret for verification: it is printed on a separate line, and nowhere else.
    expect(printed.split('\n').filter((line) => line.includes(SECRET))).toEqual([SECRET]);
    expect(printed).toMatch(/exit 0\n$/);
    const made = service.requests.find(({ method }) => method === 'POST');
    expect(JSON.parse(made?.body.toString() ?? '')).toMatchObject({
      event_types: ['approval.created', 'session.ended'],
    });
  });

  it('continues where the listener of that name stopped, from a file that only its owner can read', async () => {
    streams = [send(message('1:2:'))];
    start('--forward-to', app.url);
    await eventually(() => forwarded().length === 1);
    const folder = join(home(), 'steward/listeners');
    await eventually(() => readFileSync(join(folder, readdirSync(folder)[0] ?? ''), 'utf8').includes('"1:2:"'));
    await stop();
    expect(statSync(join(folder, readdirSync(folder)[0] ?? '')).mode & 0o077).toBe(0);
    expect(readFileSync(join(folder, readdirSync(folder)[0] ?? ''), 'utf8')).not.toContain('"pid"');
    ending = new AbortController();
    streams = [send(ping('1:2:'))];
    start('--json');
    await eventually(() => places().length === 2);
    expect((await stop()).includes(SECRET)).toBe(false);
    ending = new AbortController();
    start('--skip-missed');
    await eventually(() => places().length === 3);
    expect([places().slice(1), streamRequests().at(-1)?.path]).toEqual([
      ['1:2:', undefined],
      `${LISTENERS}/listener-1/events?from=now`,
    ]);
    await stop();
    ending = new AbortController();
    running = undefined;
    expect(await listen('--print-secret')).toBe(`${SECRET}\n`);
    // Another process may be listening with this name, for event types that it chose itself.
    const changes = service.requests.filter(({ method }) => method === 'PATCH');
    expect(changes.map(({ body }) => body.toString())).toEqual(['{"event_types":[]}', '{"event_types":[]}', '{}']);
  });

  it('waits for a local program that does not respond, and requests a new signature for an event that waited too long', async () => {
    app.respondWith((_request, response) => void response.destroy());
    streams = [send(message('1:2:', { secondsAgo: 119 })), send(message('1:2:'), message('1:3:'))];
    start('--forward-to', app.url);
    await eventually(() => places().length === 2);
    app.respondWith((_request, response) => void response.writeHead(422).end());
    await eventually(() => forwarded().includes('event-1:3:'));
    const printed = await stop();
    expect(places()).toEqual([undefined, undefined]);
    expect(printed.match(/does not answer \(\w+\): waiting for it/g)).toHaveLength(1);
    expect(printed).toMatch(/event-1:2: {2}responded with 422/);
  });

  it.each([
    [503, 'unavailable', '1:2:'],
    [429, 'rate_limited', '1:2:'],
    [410, 'place_gone', undefined],
  ] as const)('reconnects after %i %s', async (status, code, next) => {
    streams = [sendAndEnd(message('1:2:')), refuse(status, code), send(ping('1:9:'))];
    start();
    await eventually(() => places().length === 3);
    expect(await stop()).toContain(code);
    expect(places()).toEqual([undefined, '1:2:', next]);
  });

  it('creates a new listener if its own was deleted', async () => {
    streams = [sendAndEnd(message('1:2:')), refuse(404, 'not_found'), send(ping('1:9:'))];
    known = false;
    start();
    await eventually(() => places().length === 3);
    expect(await stop()).toContain('was deleted');
    expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(2);
  });

  it('ends if it lacks the permission to listen', async () => {
    streams = [refuse(403, 'permission_denied')];
    await expect(listen()).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('permission_denied'),
    });
    await expect(listen('--port', '0', '--events', 'session.ended')).rejects.toMatchObject({ exitCode: 2 });
  });
});
