import { once } from 'node:events';
import { get, request as startRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { defineRoute, type RouteResult } from './define-route.ts';
import type { Through } from './pass-stream.ts';
import type { OnSent } from './send-answer.ts';
import { ABOUT, useHttpApp } from './testing/http-app-tests.ts';

let source: Readable;
let through: Through | undefined;
afterEach(() => (through = undefined));
let makeAnswer: () => Promise<RouteResult>;

const app = useHttpApp({
  routes: [
    defineRoute({
      ...ABOUT,
      method: 'get',
      path: '/stream',
      auth: 'none',
      handler: () => ({ status: 200, source, ...(through === undefined ? {} : { through }) }),
    }),
    defineRoute({ ...ABOUT, method: 'get', path: '/made', auth: 'none', handler: () => makeAnswer() }),
  ],
});

/** Arrived completely, and fails if it is destroyed before it was read, as a body of undici does. */
class UnreadBody extends Readable {
  constructor() {
    super({ read: () => undefined });
    this.push('whole');
    this.push(null);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    done(error ?? new Error('aborted'));
  }
}

const openStream = () =>
  new Promise<IncomingMessage>((resolve) =>
    get({ host: '127.0.0.1', port: app.server.port(), path: '/stream' }, resolve),
  );

describe('a streamed response', () => {
  it('sends its headers before the first byte of the body, and each part as soon as it is available', async () => {
    source = new Readable({ read: () => undefined });
    const answer = await openStream();
    expect(answer.statusCode).toBe(200);
    for (const part of ['one', 'two']) {
      source.push(part);
      expect(String(await new Promise((resolve) => answer.once('data', resolve)))).toBe(part);
    }
    source.push(null);
    expect(await buffer(answer)).toHaveLength(0);
  });

  it('reads from its source no faster than the client accepts data', async () => {
    const totalBytes = 32 * 1024 * 1024;
    const part = Buffer.alloc(64 * 1024);
    let given = 0;
    let mostHeld = 0;
    let response: ServerResponse | undefined;
    app.server.server.once('request', (_request, each: ServerResponse) => (response = each));
    source = new Readable({
      read() {
        mostHeld = Math.max(mostHeld, response?.writableLength ?? 0);
        given += part.length;
        this.push(given > totalBytes ? null : part);
      },
    });
    let taken = 0;
    for await (const chunk of await openStream()) taken += (chunk as Buffer).length;
    expect(taken).toBe(totalBytes);
    // The check limits data that the server has read but not sent yet, which it keeps in memory.
    expect(mostHeld).toBeLessThan(1024 * 1024);
  });

  it('closes its source when the client disconnects', async () => {
    source = new Readable({ read: () => undefined });
    const closed = new Promise((resolve) => source.once('close', resolve));
    (await openStream()).destroy();
    await closed;
    expect(source.destroyed).toBe(true);
  });

  it('is aborted with its source, so that no client takes a partial response for a complete one', async () => {
    source = new Readable({ read: () => undefined });
    const answer = await openStream();
    source.push('half');
    await new Promise((resolve) => answer.once('data', resolve));
    const failed = new Promise((resolve) => answer.once('error', resolve));
    source.destroy(new Error('the provider is gone'));
    expect(await failed).toMatchObject({ code: 'ECONNRESET' });
  });

  it('reads nothing from its source for HEAD, and ends what would have read it', async () => {
    source = new UnreadBody();
    const ends: unknown[] = [];
    through = { pass: () => ends.push('read'), flush: () => ends.push('read'), end: (error) => ends.push(error) };
    const closed = new Promise((resolve) => source.on('close', resolve));
    const answer = await new Promise<IncomingMessage>((resolve) =>
      startRequest({ host: '127.0.0.1', port: app.server.port(), path: '/stream', method: 'HEAD' }, resolve).end(),
    );
    await closed;
    expect([answer.statusCode, (await buffer(answer)).length, source.destroyed]).toEqual([200, 0, true]);
    expect(ends).toEqual([expect.any(Error)]);
  });
});

describe('a response of bytes', () => {
  it.each([0, 1, 256, 16 * 1024, 16 * 1024 + 1, 200_000])('has the same %d bytes', async (length) => {
    const whole = Buffer.from(Array.from({ length: length + 7 }, (_, index) => index % 256));
    // The bytes are a part of a larger memory, as those of a received message are.
    const bytes = new Uint8Array(whole.buffer, whole.byteOffset + 7, length);
    makeAnswer = () => Promise.resolve({ status: 200, headers: { 'X-Name': 'é' }, bytes, mediaType: 'image/png' });
    const answer = await app.call('/made');
    expect(['content-length', 'content-type', 'x-name'].map((name) => answer.headers.get(name))).toEqual([
      ...[String(length), 'image/png', 'é'],
    ]);
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
  });
});

describe('a listener for the end of a response', () => {
  const made = (onSent: OnSent) => ({ status: 200, body: {}, onSent });
  const nextResponse = () =>
    new Promise<ServerResponse>((resolve) =>
      app.server.server.once('request', (_request, each: ServerResponse) => resolve(each)),
    );

  it('is notified when the response was sent', async () => {
    const isWritten = new Promise<boolean>((resolve) => (makeAnswer = () => Promise.resolve(made(resolve))));
    expect((await app.call('/made')).status).toBe(200);
    expect(await isWritten).toBe(true);
  });

  it('is notified if the response could not be sent, even if the client disconnected earlier', async () => {
    const served = nextResponse();
    const isWritten = new Promise<boolean>((resolve) => {
      makeAnswer = async () => {
        const response = await served;
        const closed = once(response, 'close');
        asking.destroy();
        await closed;
        return made(resolve);
      };
    });
    const asking = get({ host: '127.0.0.1', port: app.server.port(), path: '/made' });
    asking.on('error', () => undefined);
    expect(await isWritten).toBe(false);
  });
});
