import { chownSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { useFolder } from '@steward/testing';
import { createFolderStore } from './create-folder-store.ts';

describe('the store in a folder', () => {
  const scratch = useFolder();

  it('assigns all files to the owner of the folder, including those written by root', async () => {
    const folder = resolve(scratch(), 'evidence');
    const path = resolve(scratch(), 'archive');
    writeFileSync(path, 'bytes');
    const store = createFolderStore(folder);
    await store.put({ key: 'before', path, sizeBytes: 5, sha256: '' });
    if (process.getuid?.() === 0) chownSync(folder, 64_998, 64_997);
    for (const key of ['account/deep/1', 'account/deep/2', 'account/3'])
      await store.put({ key, path, sizeBytes: 5, sha256: '' });
    const ownerOf = (place: string): readonly number[] => {
      const { uid, gid } = statSync(resolve(folder, place));
      return [uid, gid];
    };
    const places = ['account', 'account/deep', 'account/deep/1', 'account/deep/2', 'account/3'];
    expect(places.map(ownerOf)).toEqual(places.map(() => ownerOf('.')));
    for (const place of places) expect(statSync(resolve(folder, place)).mode & 0o007).toBe(0);
  });
});
