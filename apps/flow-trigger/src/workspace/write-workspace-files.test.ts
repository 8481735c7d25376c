import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import fc from 'fast-check';
import { validateWorkspaceFiles, type WorkspaceFile } from '@steward/flows';
import { TIMEOUT_MS, useFolder } from '@steward/testing';
import { WorkspaceEscapeError, WorkspacePathError, writeWorkspaceFiles } from './write-workspace-files.ts';

describe('workspace files', () => {
  const scratch = useFolder();
  let root: string;
  let outside: string;
  beforeEach(() => {
    [root, outside] = [resolve(scratch(), 'workspace'), resolve(scratch(), 'outside')];
    for (const folder of [root, outside]) mkdirSync(folder);
  });

  const file = (path: string, text = 'x'): WorkspaceFile => ({ path, content: Buffer.from(text) });
  /** Lists a folder recursively without following links, unlike the recursive listing of Node. */
  const listBelow = (folder: string): string[] =>
    readdirSync(resolve(scratch(), folder), { withFileTypes: true }).flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      return entry.isDirectory() ? [path, ...listBelow(path)] : [path];
    });
  const listAll = (): string[] => listBelow('').sort();

  it('are written with their folders, replacing existing files', async () => {
    writeFileSync(resolve(root, 'a'), 'something longer');
    await writeWorkspaceFiles(root, [file('a', 'new'), file('b/c/d', 'deep')]);
    expect([readFileSync(resolve(root, 'a'), 'utf8'), readFileSync(resolve(root, 'b/c/d'), 'utf8')]).toEqual([
      'new',
      'deep',
    ]);
  });

  /** Creates links; a target may name the scratch folder as `{scratch}`. */
  const link = (links: Readonly<Record<string, string>>): void => {
    for (const [name, target] of Object.entries(links)) {
      mkdirSync(dirname(resolve(root, name)), { recursive: true });
      symlinkSync(target.replace('{scratch}', scratch()), resolve(root, name));
    }
  };

  it.each<[string, Readonly<Record<string, string>>, string, string]>([
    ['a folder that is a link', { d: 'real' }, 'd/f', 'real/f'],
    ['a folder that is a link to the workspace', { d: '.' }, 'd/f', 'f'],
    ['a file that is a link', { f: 'real/kept' }, 'f', 'real/kept'],
    ['a link to a missing file inside', { f: 'real/new' }, 'f', 'real/new'],
    ['a link to a missing folder inside', { d: 'not/yet' }, 'd/f', 'not/yet/f'],
    ['a link upwards that stays inside', { 'a/b/d': '../../real' }, 'a/b/d/f', 'real/f'],
    ['a link that leads out and back in through another link', { 'a/up': '..', d: 'a/up/real' }, 'd/f', 'real/f'],
    ['a path with .. after a link, relative to its target,', { 'a/d': '../real/deep', e: 'a/d/../f' }, 'e', 'real/f'],
    ['a chain', { d: 'e', e: 'g', g: './real//' }, 'd/f', 'real/f'],
    ['an absolute link into the workspace', { d: '{scratch}/workspace/real' }, 'd/f', 'real/f'],
    ['a link below a link', { d: 'real', 'real/e': 'deep' }, 'd/e/f', 'real/deep/f'],
  ])('are written where %s leads', async (_what, links, path, place) => {
    mkdirSync(resolve(root, 'real/deep'), { recursive: true });
    writeFileSync(resolve(root, 'real/kept'), 'something longer');
    link(links);
    await writeWorkspaceFiles(root, [file(path, 'new')]);
    expect(readFileSync(resolve(root, place), 'utf8')).toBe('new');
    expect(realpathSync.native(resolve(root, path))).toBe(resolve(root, place));
    // No link was replaced by a file.
    for (const name of Object.keys(links)) expect(lstatSync(resolve(root, name)).isSymbolicLink()).toBe(true);
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['a folder outside', { d: '{scratch}/outside' }, 'd/f'],
    ['a folder outside, by ..', { d: '../outside' }, 'd/f'],
    ['a folder outside, by .. after existing folders', { 'a/b/d': '../../../outside' }, 'a/b/d/f'],
    ['a folder outside whose name begins with that of the workspace', { d: '{scratch}/workspace-too' }, 'd/f'],
    ['the parent folder and back in', { d: '../workspace/a' }, 'd/f'],
    ['an absolute path into the workspace and out again', { d: '{scratch}/workspace/../outside' }, 'd/f'],
    ['a file outside', { f: '{scratch}/outside/f' }, 'f'],
    ['a file outside, through a chain', { f: 'g', g: 'd/f', d: '../outside' }, 'f'],
    ['nowhere, outside', { f: '../outside/new' }, 'f'],
    ['the root directory', { d: '/' }, 'd/tmp/f'],
    ['/proc/self/cwd', { d: '/proc/self/cwd' }, 'd/f'],
    ['a folder relative to a missing one', { d: 'none/../a' }, 'd/f'],
    ['itself', { f: 'f' }, 'f'],
    ['itself, in the path', { d: 'e', e: 'd' }, 'd/f'],
    ['a path below itself', { d: 'd/x' }, 'd/f'],
    ['the .git folder', { d: '.git' }, 'd/config'],
    ['a file in the .git folder', { f: '.git/config' }, 'f'],
    ['a .git folder at depth', { d: 'a/b', 'a/b': '../c/.git/hooks' }, 'd/pre-commit'],
    ['the .git folder in upper case', { d: '.GIT' }, 'd/config'],
  ])('are refused at a link to %s', async (_what, links, path) => {
    for (const folder of ['.git', 'a', 'c/.git/hooks']) mkdirSync(resolve(root, folder), { recursive: true });
    mkdirSync(resolve(scratch(), 'workspace-too'));
    link(links);
    const before = listAll();
    await expect(writeWorkspaceFiles(root, [file(path)])).rejects.toThrow(WorkspaceEscapeError);
    expect(listAll()).toEqual(before);
  });

  it('follow 40 links in a row, as the operating system does, but no more', async () => {
    for (let index = 0; index < 41; index += 1) link({ [`l${index}`]: index === 0 ? 'f' : `l${index - 1}` });
    await writeWorkspaceFiles(root, [file('l39', 'reached')]);
    expect(readFileSync(resolve(root, 'f'), 'utf8')).toBe('reached');
    await expect(writeWorkspaceFiles(root, [file('l40')])).rejects.toThrow(WorkspaceEscapeError);
  });

  it('are refused if two of them resolve to the same file through links, and if a link leads to a folder', async () => {
    mkdirSync(resolve(root, 'real'));
    link({ d: 'real', f: 'real', g: '.', h: 'new/', i: 'new/.', j: 'real/..' });
    await expect(writeWorkspaceFiles(root, [file('real/x', 'one'), file('d/x', 'two')])).rejects.toThrow(
      WorkspacePathError,
    );
    expect(readFileSync(resolve(root, 'real/x'), 'utf8')).toBe('one');
    for (const path of ['f', 'g', 'h', 'i', 'j'])
      await expect(writeWorkspaceFiles(root, [file(path)])).rejects.toThrow(WorkspacePathError);
  });

  it('are refused within a limited time if links repeatedly lead upwards', async () => {
    mkdirSync(resolve(root, Array(200).fill('a').join('/')), { recursive: true });
    const target = `${'a/'.repeat(200)}${'../a/'.repeat(700)}f`;
    link({ f: target, g: `${'f/../'.repeat(500)}f` });
    for (const path of ['f', 'g']) {
      const before = process.cpuUsage();
      await expect(writeWorkspaceFiles(root, [file(path)])).rejects.toThrow(WorkspaceEscapeError);
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1000).toBeLessThan(5000);
    }
  });

  it('are refused below a file, with an error that does not call it a link', async () => {
    writeFileSync(resolve(root, 'd'), '');
    await expect(writeWorkspaceFiles(root, [file('d/f')])).rejects.toThrow(WorkspacePathError);
    expect(readFileSync(resolve(root, 'd'), 'utf8')).toBe('');
  });

  it('are refused where a folder exists', async () => {
    mkdirSync(resolve(root, 'f'));
    await expect(writeWorkspaceFiles(root, [file('f')])).rejects.toThrow(WorkspacePathError);
  });

  it('never leave the workspace while another program repeatedly replaces a folder with a link', async () => {
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
    const startedAt = performance.now();
    // Runs for at least 1.5 seconds, until both outcomes have occurred: otherwise, swapping the files would have had no
    // effect.
    const goesOn = (): boolean => {
      const elapsedMs = performance.now() - startedAt;
      return elapsedMs < 1500 || (elapsedMs < TIMEOUT_MS && (outcomes.written === 0 || outcomes.refused === 0));
    };
    try {
      while (goesOn()) {
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
    expect(outcomes.written).toBeGreaterThan(0);
    expect(outcomes.refused).toBeGreaterThan(0);
    expect(readdirSync(outside)).toEqual([]);
  });

  it('are written in the workspace and nowhere else, for every accepted path', async () => {
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

  it('in any tree of links are written where the operating system would write them, or refused if that is outside the workspace', async () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd');
    const piece = fc.oneof({ weight: 3, arbitrary: name }, fc.constantFrom('..', '.', '', '.git'));
    const target = fc.oneof(
      {
        weight: 6,
        arbitrary: fc
          .array(piece, { minLength: 1, maxLength: 5 })
          .map((parts) => parts.join('/').replace(/^\/+$/, '.') || '.'),
      },
      fc.array(piece, { maxLength: 3 }).map((parts) => ['{root}', ...parts].join('/')),
      fc.constant('{outside}'),
    );
    const place = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
    const tree = fc.array(fc.tuple(place, fc.option(target)), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(tree, place, async (entries, path) => {
        for (const folder of [root, outside]) {
          rmSync(folder, { recursive: true });
          mkdirSync(folder);
        }
        mkdirSync(resolve(root, '.git'));
        for (const [at, to] of entries) {
          try {
            if (to === null) mkdirSync(resolve(root, at), { recursive: true });
            else symlinkSync(to.replace('{root}', root).replace('{outside}', outside), resolve(root, at));
          } catch {
            // A file already exists there or in its path.
          }
        }
        const listForbidden = () => listAll().filter((each) => !/^workspace(\/(?!\.git\/)|$)/.test(each));
        const before = listForbidden();
        const refused = await writeWorkspaceFiles(root, [file(path, 'seeded')]).then(
          () => undefined,
          (error: unknown) => error as Error,
        );
        expect(listForbidden()).toEqual(before);
        if (refused === undefined) {
          expect(readFileSync(resolve(root, path), 'utf8')).toBe('seeded');
          expect(realpathSync.native(resolve(root, path)).startsWith(`${root}/`)).toBe(true);
        } else expect([WorkspaceEscapeError, WorkspacePathError]).toContain(refused.constructor);
      }),
      { numRuns: 300 },
    );
  });
});
