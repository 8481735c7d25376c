import { preparePackedBombs, startBombServer, type BombKind, type BombServer } from '@steward/testing';
import { createS3Store } from './create-s3-store.ts';

let bombs: BombServer;
beforeAll(async () => {
  preparePackedBombs();
  bombs = await startBombServer();
});
afterAll(() => bombs.close());

const open = (kind: BombKind) =>
  createS3Store({
    // The bucket is part of the path of each bomb's address.
    endpoint: bombs.urlOf(kind),
    bucket: 'evidence',
    region: 'eu',
    prefix: '',
    accessKeyId: 'a',
    secretAccessKey: 's',
    pathStyle: true,
    timeoutMs: 5_000,
    retryDelaysMs: [],
  });
const sweep = (kind: BombKind) => open(kind).removeOlder({ before: new Date(), isOwn: () => true });

describe('a malicious object store (LIM-81)', () => {
  it.each<BombKind>(['gzip', 'br', 'zstd', 'deflate', 'gzip twice', 'gzip refusal'])(
    'is refused if it compresses its answers: %s',
    async (kind) => {
      await expect(sweep(kind)).rejects.toThrow('the object store compressed its response to a GET');
      await expect(open(kind).open('a/1.tar.gz')).rejects.toThrow('the object store compressed its response to a GET');
    },
  );

  it.each<BombKind>(['endless text', 'endless values'])('is read up to the limit of a page: %s', async (kind) => {
    await expect(sweep(kind)).rejects.toThrow('the object store lists more than 8 MiB on a page');
  });
});
