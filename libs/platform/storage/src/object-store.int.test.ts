import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { startTestObjectStore } from '@steward/testing';
import { createFolderStore } from './folder/create-folder-store.ts';
import { hashStored } from './hash-stored.ts';
import type { ObjectStore, PutRequest } from './object-store.ts';
import { createS3Store } from './s3/create-s3-store.ts';
import { resolveHere } from './testing/resolve-here.ts';

interface Place {
  readonly store: ObjectStore;
  age(key: string, putAt: Date): void;
  stop(): Promise<void> | void;
}

const openFolder = (): Place => {
  const folder = mkdtempSync(resolve(tmpdir(), 'steward-folder-store-'));
  return {
    store: createFolderStore(folder),
    age: (key, putAt) => utimesSync(resolve(folder, key), putAt, putAt),
    stop: () => rmSync(folder, { recursive: true, force: true }),
  };
};

const openS3 = (pathStyle: boolean, prefix: string) => async (): Promise<Place> => {
  const server = await startTestObjectStore({ checksSignatures: pathStyle });
  const undo = resolveHere('.localhost');
  const store = createS3Store({
    endpoint: pathStyle ? server.url : server.url.replace('127.0.0.1', 's3.localhost'),
    bucket: server.bucket,
    region: 'eu-central-1',
    prefix,
    accessKeyId: server.accessKeyId,
    secretAccessKey: server.secretAccessKey,
    pathStyle,
    timeoutMs: 60_000,
  });
  const stop = async (): Promise<void> => {
    undo();
    await server.stop();
  };
  return { store, age: (key, putAt) => server.age(`${prefix}${key}`, putAt), stop };
};

describe.each([
  ['a folder', openFolder],
  ['a bucket, named in the path', openS3(true, 'steward/evidence/')],
  ['a bucket, named in the host', openS3(false, '')],
])('the store in %s', (_name, open) => {
  let place: Place;
  let scratch: string;
  beforeAll(async () => {
    place = await open();
    scratch = mkdtempSync(resolve(tmpdir(), 'steward-storage-test-'));
  });
  afterAll(async () => {
    await place.stop();
    rmSync(scratch, { recursive: true });
  });

  const write = (bytes: Buffer, key: string): PutRequest => {
    const path = resolve(scratch, key.replaceAll('/', '-'));
    writeFileSync(path, bytes);
    return { key, path, sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  };
  const read = async (key: string): Promise<Buffer | undefined> => {
    const stored = await place.store.open(key);
    if (stored === undefined) return undefined;
    const bytes = await buffer(stored.stream);
    expect(bytes.length).toBe(stored.sizeBytes);
    return bytes;
  };
  const isOwn = (key: string): boolean => key.endsWith('.tar.gz');

  it.each([1, 65_536, 3_000_001])('returns the same %d bytes that were stored', async (size) => {
    const bytes = randomBytes(size);
    const request = write(bytes, `account-a/of-${size}.tar.gz`);
    await place.store.put(request);
    expect((await read(request.key))?.equals(bytes)).toBe(true);
    expect(await hashStored(place.store, request.key)).toBe(request.sha256);
  });

  it('returns no object for an unknown key', async () => {
    expect(await place.store.open('account-a/never.tar.gz')).toBeUndefined();
    expect(await place.store.open('nobody/never.tar.gz')).toBeUndefined();
    expect(await hashStored(place.store, 'nobody/never.tar.gz')).toBeUndefined();
  });

  it('separates objects stored concurrently', async () => {
    const all = Array.from({ length: 24 }, (_each, index) => {
      const bytes = randomBytes(200_000 + index);
      return { bytes, request: write(bytes, `account-${index % 3}/at-once-${index}.tar.gz`) };
    });
    await Promise.all(all.map(({ request }) => place.store.put(request)));
    const same = await Promise.all(all.map(async ({ bytes, request }) => (await read(request.key))?.equals(bytes)));
    expect(new Set(same)).toEqual(new Set([true]));
  });

  it('does not return incomplete objects', async () => {
    const request = write(randomBytes(2_000_000), 'account-a/aborted.tar.gz');
    const aborted = place.store.put({ ...request, signal: AbortSignal.abort() });
    await expect(aborted).rejects.toThrow();
    const short = place.store.put({ ...request, sizeBytes: request.sizeBytes + 1 });
    await expect(short).rejects.toThrow();
    expect(await read(request.key)).toBeUndefined();
  });

  it('accepts no key outside its prefix', async () => {
    for (const key of ['../out', 'a/../../out', '/etc/passwd', 'a//b', 'a/%2e%2e/b', '', 'a b', '.hidden'])
      await expect((async () => place.store.open(key))()).rejects.toThrow('not a key');
  });

  it('deletes only old objects under its own prefix', async () => {
    const keys = ['old/1.tar.gz', 'old/2.tar.gz', 'old/note.txt', 'young/1.tar.gz'];
    for (const key of keys) await place.store.put(write(Buffer.from(key), key));
    for (const key of keys.slice(0, 3)) place.age(key, new Date('2020-01-01T00:00:00Z'));
    const before = new Date('2021-01-01T00:00:00Z');
    expect(await place.store.removeOlder({ before, isOwn })).toBe(2);
    expect(await place.store.removeOlder({ before, isOwn })).toBe(0);
    const left = await Promise.all(keys.map(async (key) => ((await read(key)) === undefined ? [] : [key])));
    expect(left.flat()).toEqual(['old/note.txt', 'young/1.tar.gz']);
  });

  it('supports an availability check', async () => {
    await expect(place.store.check()).resolves.toBeUndefined();
  });
});
