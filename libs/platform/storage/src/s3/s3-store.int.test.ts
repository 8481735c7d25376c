import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import {
  eventually,
  startHttpReceiver,
  startTestObjectStore,
  type HttpReceiver,
  type ReceivedRequest,
  type TestObjectStore,
} from '@steward/testing';
import type { Bucket, PutRequest, StoreError } from '../object-store.ts';
import { startCuttingRelay, type CuttingRelay } from '../testing/start-cutting-relay.ts';
import { createS3Store } from './create-s3-store.ts';
import type { S3Options } from './s3-options.ts';

const SECRET = 'a-secret-access-key-nobody-may-see';
const KEY = 'account/archive.tar.gz';

/** Returns a listing in the form shown in Amazon's reference of ListObjectsV2. */
const renderListing = (keys: readonly string[], isTruncated: boolean): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
  <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>evidence</Name><Prefix>logs/</Prefix>
  <KeyCount>${keys.length}</KeyCount><EncodingType>url</EncodingType><IsTruncated>${isTruncated}</IsTruncated>${keys
    .map((key) => `<Contents><Key>${key}</Key><LastModified>2009-10-12T17:50:30.000Z</LastModified></Contents>`)
    .join('')}</ListBucketResult>`;

describe('a bucket', () => {
  let server: TestObjectStore;
  let relay: CuttingRelay;
  /** Server that fails. */
  let faulty: HttpReceiver;
  let scratch: string;
  let request: PutRequest;
  beforeAll(async () => {
    server = await startTestObjectStore();
    relay = await startCuttingRelay(server.url);
    faulty = await startHttpReceiver();
    scratch = mkdtempSync(resolve(tmpdir(), 'steward-s3-test-'));
    const bytes = randomBytes(1_000_000);
    const path = resolve(scratch, 'archive');
    writeFileSync(path, bytes);
    request = { key: KEY, path, sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  });
  afterAll(async () => {
    relay.close();
    await faulty.close();
    await server.stop();
    rmSync(scratch, { recursive: true });
  });

  const open = (more: Partial<S3Options> = {}): Bucket =>
    createS3Store({
      endpoint: server.url,
      bucket: server.bucket,
      region: 'eu-central-1',
      prefix: '',
      accessKeyId: server.accessKeyId,
      secretAccessKey: server.secretAccessKey,
      pathStyle: true,
      timeoutMs: 60_000,
      retryDelaysMs: [10, 20],
      ...more,
    });
  const failureOf = (work: Promise<unknown>): Promise<StoreError> =>
    work.then(
      () => Promise.reject(new Error('it worked')),
      (error: unknown) => error as StoreError,
    );
  const answer = (status: number, body = '', headers = {}) => {
    return (_request: ReceivedRequest, response: ServerResponse) => void response.writeHead(status, headers).end(body);
  };

  it.each([
    ['an unknown key id', { accessKeyId: 'AKIAUNKNOWN' }, 'refused', /403 InvalidAccessKeyId$/],
    ['another secret', { secretAccessKey: SECRET }, 'refused', /403 SignatureDoesNotMatch$/],
    ['a bucket that is not there', { bucket: 'no-such-bucket' }, 'refused', /404 NoSuchBucket$/],
    ['an address nobody listens on', { endpoint: 'http://127.0.0.9:4568' }, 'unreachable', /ECONNREFUSED$/],
  ])('causes a clear error without a secret if it has %s', async (_what, wrong, kind, message) => {
    const store = open({ ...wrong, retryDelaysMs: [] });
    const failures = [store.check(), store.put(request), store.removeOlder(everything())];
    for (const failure of failures.map(failureOf)) {
      const error = await failure;
      expect([error.name, error.kind, error.message]).toEqual(['StoreError', kind, expect.stringMatching(message)]);
      expect(`${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`).not.toContain(SECRET);
    }
  });

  it('stores bytes from memory, lists them by prefix, and removes them', async () => {
    const store = open({ prefix: 'deployment/' });
    const bytes = randomBytes(200_000);
    for (const key of ['a/1', 'a/2', 'a/3', 'b/1']) await store.putBytes({ key, bytes });
    expect(await buffer((await store.open('a/2'))!.stream)).toEqual(bytes);
    const list = async (prefix: string, after?: string) =>
      (await store.list({ prefix, after })).objects.map(({ key }) => key);
    expect([await list('a/'), await list('a/', 'a/1'), await list('')]).toEqual([
      ['a/1', 'a/2', 'a/3'],
      ['a/2', 'a/3'],
      ['a/1', 'a/2', 'a/3', 'b/1'],
    ]);
    await store.remove(['a/1', 'a/3', 'not-there']);
    expect(await list('')).toEqual(['a/2', 'b/1']);
    await store.remove(['a/2', 'b/1']);
    const failure = await failureOf(
      open({ endpoint: 'http://127.0.0.9:4568', retryDelaysMs: [] }).putBytes({ key: KEY, bytes }),
    );
    expect(failure.kind).toBe('unreachable');
  });

  it('contains nothing of an interrupted upload, after any number of attempts', async () => {
    const before = relay.connections();
    relay.cutAfter(300_000);
    const error = await failureOf(open({ endpoint: relay.url }).put(request));
    expect(error.kind).toBe('unreachable');
    expect(relay.connections() - before).toBeGreaterThanOrEqual(3);
    relay.cutAfter(Number.POSITIVE_INFINITY);
    expect(await open().open(KEY)).toBeUndefined();
  });

  it('receives the request again while it fails or is overloaded, with the whole file each time', async () => {
    const before = faulty.requests.length;
    faulty.respondWith((_request, response, index) => {
      response.writeHead([500, 503][index - before] ?? 200).end();
    });
    await open({ endpoint: faulty.url, encryption: 'AES256', sessionToken: 'lent' }).put(request);
    const puts = faulty.requests.slice(before);
    expect(puts.map(({ method, path, body }) => [method, path, body.length])).toEqual(
      Array.from({ length: 3 }, () => ['PUT', `/evidence/${KEY}`, request.sizeBytes]),
    );
    expect(puts[2]?.headers).toMatchObject({
      'content-length': String(request.sizeBytes),
      'x-amz-content-sha256': request.sha256,
      'x-amz-server-side-encryption': 'AES256',
      'x-amz-security-token': 'lent',
      authorization: expect.stringMatching(
        /\/eu-central-1\/s3\/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token;/,
      ),
    });
  });

  it('causes an error after the last attempt if it keeps failing', async () => {
    const before = faulty.requests.length;
    faulty.respondWith(answer(429, '<Error><Code>SlowDown</Code></Error>'));
    const error = await failureOf(open({ endpoint: faulty.url }).open(KEY));
    expect([error.kind, error.message]).toEqual(['unreachable', expect.stringMatching(/429 SlowDown$/)]);
    expect(faulty.requests.length - before).toBe(3);
  });

  it('times out if it hangs, even in the middle of an object', async () => {
    const store = open({ endpoint: faulty.url, timeoutMs: 600, retryDelaysMs: [10] });
    faulty.respondWith(() => undefined);
    for (const work of [store.put(request), store.open(KEY), store.check()])
      expect((await failureOf(work)).message).toMatch(/nothing received for 600 ms$/);
    faulty.respondWith((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half');
    });
    // The object is opened repeatedly: on a busy machine even the response headers may take longer than that.
    const stored = await eventually(() => store.open(KEY));
    expect(stored.sizeBytes).toBe(100);
    expect((await failureOf(buffer(stored.stream))).message).toMatch(/sent nothing for 600 ms$/);
  });

  it('causes an error if it ends an object early', async () => {
    faulty.respondWith((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy());
    });
    const stored = await open({ endpoint: faulty.url }).open(KEY);
    expect((await failureOf(buffer(stored!.stream))).message).toContain('ended a transfer early');
  });

  it('receives no request with credentials at another address if it redirects', async () => {
    const other = await startHttpReceiver();
    faulty.respondWith(answer(307, '<Error><Code>TemporaryRedirect</Code></Error>', { location: other.url }));
    const error = await failureOf(open({ endpoint: faulty.url }).put(request));
    expect([error.kind, error.message]).toEqual(['refused', expect.stringMatching(/307 TemporaryRedirect$/)]);
    expect(other.requests).toEqual([]);
    await other.close();
  });

  it('is emptied page by page if it has more objects than one page', async () => {
    // The second page comes from the faulty server, since that of these tests cannot return one: its package needs a
    // cipher that OpenSSL has dropped.
    const before = faulty.requests.length;
    const keys = ['logs/a/1', 'logs/a/%C3%BC+2', 'logs/b/3'];
    faulty.respondWith(({ method, path }, response) => {
      const from = new URL(path, 'http://s3').searchParams.get('start-after');
      const page = from === null ? keys.slice(0, 2) : keys.slice(2);
      response
        .writeHead(method === 'GET' ? 200 : 204)
        .end(method === 'GET' ? renderListing(page, from === null) : undefined);
    });
    const store = open({ endpoint: faulty.url, prefix: 'logs/' });
    const isOwn = (key: string): boolean => key !== 'a/1';
    expect(await store.removeOlder({ ...everything(), isOwn })).toBe(2);
    const seen = faulty.requests.slice(before).map(({ method, path }) => `${method} ${path}`);
    expect(seen).toEqual([
      'GET /evidence?list-type=2&encoding-type=url&prefix=logs%2F',
      'DELETE /evidence/logs/a/%C3%BC%202',
      'GET /evidence?list-type=2&encoding-type=url&prefix=logs%2F&start-after=logs%2Fa%2F%C3%BC+2',
      'DELETE /evidence/logs/b/3',
    ]);
  });

  const everything = () => ({ before: new Date(Date.now() + 60_000), isOwn: () => true });
});
