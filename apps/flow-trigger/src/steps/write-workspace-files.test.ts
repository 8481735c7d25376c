import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { validateWorkspaceFiles, type WorkspaceFile } from '@steward/slice-flows';
import { WorkspaceEscapeError, WorkspacePathError, writeWorkspaceFiles } from './write-workspace-files.ts';

describe('workspace files', () => {
  let scratch: string;
  let root: string;
  let outside: string;
  beforeEach(() => {
    scratch = realpathSync(mkdtempSync(resolve(tmpdir(), 'steward-write-')));
    [root, outside] = [resolve(scratch, 'workspace'), resolve(scratch, 'outside')];
    for (const folder of [root, outside]) mkdirSync(folder);
  });
  afterEach(() => rmSync(scratch, { recursive: true, force: true }));

  const file = (path: string, text = 'x'): WorkspaceFile => ({ path, content: Buffer.from(text) });
  const listAll = (): string[] => readdirSync(scratch, { recursive: true, encoding: 'utf8' }).sort();

  it('are written with their folders, replacing what was there', async () => {
    writeFileSync(resolve(root, 'a'), 'something longer');
    await writeWorkspaceFiles(root, [file('a', 'new'), file('b/c/d', 'deep')]);
    expect([readFileSync(resolve(root, 'a'), 'utf8'), readFileSync(resolve(root, 'b/c/d'), 'utf8')]).toEqual([
      'new',
      'deep',
    ]);
  });

  it.each<[string, () => void, string]>([
    ['a folder that is a link outside', () => symlinkSync(outside, resolve(root, 'd')), 'd/f'],
    ['a folder that is a link inside', () => symlinkSync('.', resolve(root, 'd')), 'd/f'],
    ['a file that is a link', () => symlinkSync(resolve(outside, 'f'), resolve(root, 'f')), 'f'],
    ['a link that dangles', () => symlinkSync('nowhere', resolve(root, 'f')), 'f'],
    ['a loop of links', () => symlinkSync('f', resolve(root, 'f')), 'f'],
  ])('are refused at %s', async (_what, prepare, path) => {
    prepare();
    await expect(writeWorkspaceFiles(root, [file(path)])).rejects.toThrow(WorkspaceEscapeError);
    expect(readdirSync(outside)).toEqual([]);
  });

  it('are refused below a file, which is not called a link', async () => {
    writeFileSync(resolve(root, 'd'), '');
    await expect(writeWorkspaceFiles(root, [file('d/f')])).rejects.toThrow(WorkspacePathError);
    expect(readFileSync(resolve(root, 'd'), 'utf8')).toBe('');
  });

  it('are refused where a folder is', async () => {
    mkdirSync(resolve(root, 'f'));
    await expect(writeWorkspaceFiles(root, [file('f')])).rejects.toThrow(WorkspacePathError);
  });

  it('never leave the workspace while another program swaps a folder for a link as fast as it can', async () => {
    mkdirSync(resolve(root, 'd/e'), { recursive: true });
    const program = `
      const { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync } = require('node:fs');
      process.chdir(${JSON.stringify(root)});
      process.stdout.write('ready');
      // Each state lasts about as long as one write, so that the change falls between its steps.
      const pause = () => { const end = performance.now() + Math.random() * 0.3; while (performance.now() < end); };
      const swap = (name) => {
        renameSync(name, 'aside');
        symlinkSync(${JSON.stringify(outside)}, name);
        pause();
        unlinkSync(name);
        renameSync('aside', name);
        pause();
      };
      for (;;) for (const name of ['d/e', 'd']) {
        try { swap(name); } catch {
          // The writer made the folder anew in between: start over.
          for (const left of ['aside', 'd']) rmSync(left, { recursive: true, force: true });
          mkdirSync('d/e', { recursive: true });
        }
      }
    `;
    const swapper = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'ignore'] });
    await once(swapper.stdout, 'data');
    const outcomes = { written: 0, refused: 0 };
    const endAt = performance.now() + 1500;
    try {
      while (performance.now() < endAt) {
        try {
          await writeWorkspaceFiles(root, [file('d/e/f.txt')]);
          outcomes.written += 1;
        } catch {
          outcomes.refused += 1;
        }
      }
    } finally {
      swapper.kill('SIGKILL');
    }
    // Both happened, or the swapping hit nothing.
    expect(outcomes.written).toBeGreaterThan(0);
    expect(outcomes.refused).toBeGreaterThan(0);
    expect(readdirSync(outside)).toEqual([]);
  });

  it('of every path the check accepts land in the workspace and nowhere else', async () => {
    const piece = fc.oneof(
      fc.constantFrom('..', '.', '', 'a', 'ü', '...', 'a b', '-rf', '$(id)', "'", '%2e%2e', '․․'),
      fc.string({ unit: 'grapheme', maxLength: 4 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 5 }), async (pieces) => {
        const checked = validateWorkspaceFiles([{ path: pieces.join('/'), content_base64: '' }]);
        if (checked.kind !== 'valid') return;
        await writeWorkspaceFiles(root, checked.files);
        const stored = `workspace/${checked.files[0]?.path ?? ''}`;
        const parents = stored.split('/').map((_, index, all) => all.slice(0, index + 1).join('/'));
        expect(listAll()).toEqual([...new Set(['outside', ...parents])].sort());
        rmSync(root, { recursive: true });
        mkdirSync(root);
      }),
      { numRuns: 300 },
    );
  });
});
