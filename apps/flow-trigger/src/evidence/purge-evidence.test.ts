import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { newId } from '@steward/crypto';
import { locateEvidence } from '@steward/flows';
import { createFolderStore } from '@steward/storage';
import { purgeEvidence } from './purge-evidence.ts';

describe('evidence older than its retention', () => {
  const folder = mkdtempSync(resolve(tmpdir(), 'steward-purge-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const stores = { all: [createFolderStore(folder), createFolderStore(resolve(folder, 'no such folder'))] };
  const now = new Date('2026-01-02T00:00:00Z');
  const write = (key: string, writtenAt: string): string => {
    const path = resolve(folder, key);
    mkdirSync(resolve(path, '..'), { recursive: true });
    writeFileSync(path, 'x');
    utimesSync(path, new Date(writtenAt), new Date(writtenAt));
    return path;
  };

  it('is deleted together with partial files of a crash; newer archives and other files are retained', async () => {
    const [account, emptied] = [newId(), newId()];
    const old = '2026-01-01T00:00:00Z';
    const gone = [
      write(locateEvidence(account, newId()), old),
      write(locateEvidence(emptied, newId()), old),
      write(`${locateEvidence(account, newId())}.partial`, old),
      write(`${locateEvidence(account, newId())}.${newId()}.partial`, old),
    ];
    const kept = [
      write(locateEvidence(account, newId()), '2026-01-01T12:00:00Z'),
      write(`${account}/note.txt`, old),
      write(`backup/${newId()}.tar.gz`, old),
      write('note.tar.gz', old),
    ];
    expect(await purgeEvidence(stores, { retentionHours: 0, now })).toBe(0);
    expect(await purgeEvidence(stores, { retentionHours: 18, now })).toBe(4);
    expect([...gone, ...kept].map((path) => existsSync(path))).toEqual([
      ...gone.map(() => false),
      ...kept.map(() => true),
    ]);
    expect(existsSync(resolve(folder, emptied))).toBe(false);
  });
});
