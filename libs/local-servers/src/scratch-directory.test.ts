import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import {
  chooseScratchDirectory,
  makeScratchDirectory,
  removeOwnScratch,
  removeStaleScratch,
} from './scratch-directory.ts';

const GIBIBYTE = 1024 ** 3;

describe('the scratch directory of test servers', () => {
  it.each([
    [64, 4, '/dev/shm'],
    [8, 4, tmpdir()],
    [64, 0.0625, tmpdir()],
    [64, 0, tmpdir()],
  ])('with %i GiB of memory and %d GiB free in the in-memory file system: %s', (memory, free, expected) => {
    expect(chooseScratchDirectory(memory * GIBIBYTE, free * GIBIBYTE)).toBe(expected);
  });

  it('has a folder for each server, named after the process', () => {
    const made = makeScratchDirectory('postgres');
    expect(made).toContain(`steward-test-postgres-${process.pid}-`);
    rmSync(made, { recursive: true });
  });

  it('deletes only the files of ended processes, after two hours, and its own at the end', () => {
    const directory = mkdtempSync(resolve(tmpdir(), 'steward-scratch-'));
    const { pid: gone } = spawnSync(process.execPath, ['--version']);
    const folders = ['postgres', 'nats'].map((name) => resolve(directory, `steward-test-${name}-${gone}-abc123`));
    const kept = [`steward-test-nats-${process.pid}-abc123`, 'steward-test-abc', 'another'].map((name) =>
      resolve(directory, name),
    );
    for (const folder of [...folders, ...kept]) mkdirSync(folder);
    removeStaleScratch(directory);
    expect([...folders, ...kept].every((folder) => existsSync(folder))).toBe(true);
    removeStaleScratch(directory, Date.now() + 3 * 60 * 60_000);
    expect(folders.some((folder) => existsSync(folder))).toBe(false);
    expect(kept.every((folder) => existsSync(folder))).toBe(true);
    removeOwnScratch(directory);
    expect(kept.map((folder) => existsSync(folder))).toEqual([false, true, true]);
    rmSync(directory, { recursive: true });
  });
});
