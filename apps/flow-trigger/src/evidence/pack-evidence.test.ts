import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { useFolder } from '@steward/testing';
import { packEvidence, type PackOutcome } from './pack-evidence.ts';

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');

describe('evidence', () => {
  const scratch = useFolder();
  let root: string;
  let target: string;
  beforeEach(() => {
    root = resolve(scratch(), 'workspace');
    target = resolve(scratch(), 'archive.tar.gz');
    mkdirSync(resolve(root, 'reports/deep'), { recursive: true });
    writeFileSync(resolve(root, 'reports/a.txt'), 'first');
    writeFileSync(resolve(root, 'reports/deep/ü.bin'), Buffer.alloc(200_000, 7));
    writeFileSync(resolve(root, 'empty.log'), '');
    writeFileSync(resolve(scratch(), 'secret.txt'), 'outside');
  });

  const pack = (paths: string[], maxBytes = 1_000_000): Promise<PackOutcome> =>
    packEvidence({ root, paths, target, maxBytes, executionId: 'the-execution', capturedAt: new Date(0) });
  /** Unpacks with the system's tar, an independent implementation. */
  const unpack = (): {
    read: (name: string) => Buffer;
    names: string[];
    manifest: { files: { path: string; sha256: string; size_bytes: number }[] };
  } => {
    const folder = resolve(scratch(), 'unpacked');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    execFileSync('tar', ['-xzf', target, '-C', folder]);
    const names = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => resolve(entry.parentPath, entry.name).slice(folder.length + 1))
      .sort();
    const read = (name: string): Buffer => readFileSync(resolve(folder, name));
    return { read, names, manifest: JSON.parse(read('manifest.json').toString('utf8')) as never };
  };

  it('packs files and folders with a manifest of their digests, and returns the digests of the archive (EXEC-18)', async () => {
    const packed = await pack(['reports', './reports/a.txt', 'empty.log']);
    const { names, manifest, read } = unpack();
    expect(names).toEqual(['files/empty.log', 'files/reports/a.txt', 'files/reports/deep/ü.bin', 'manifest.json']);
    for (const file of manifest.files) {
      expect(file.sha256).toBe(sha256(read(`files/${file.path}`)));
      expect(file.size_bytes).toBe(read(`files/${file.path}`).length);
    }
    expect(packed).toMatchObject({
      kind: 'packed',
      files: 3,
      skipped: [],
      sha256: sha256(readFileSync(target)),
      manifestSha256: sha256(read('manifest.json')),
      sizeBytes: readFileSync(target).length,
    });
    const again = await pack(['reports', './reports/a.txt', 'empty.log']);
    expect(again).toMatchObject({ sha256: packed.kind === 'packed' ? packed.sha256 : '' });
  });

  it('accepts the whole workspace as "."', async () => {
    expect(await pack(['.'])).toMatchObject({ kind: 'packed', files: 3 });
  });

  it('does not follow links to a file, to a folder, upwards or in a loop (EXEC-18)', async () => {
    symlinkSync(resolve(scratch(), 'secret.txt'), resolve(root, 'reports/link.txt'));
    symlinkSync(scratch(), resolve(root, 'out'));
    symlinkSync('../..', resolve(root, 'reports/up'));
    symlinkSync('.', resolve(root, 'reports/loop'));
    const packed = await pack(['reports', 'out/secret.txt', 'out', '../secret.txt', '/etc/passwd']);
    expect(packed).toMatchObject({ kind: 'packed', files: 2 });
    expect(packed.skipped.map(({ path, reason }) => `${path} ${reason}`).sort()).toEqual([
      '../secret.txt unreadable',
      '/etc/passwd unreadable',
      'out symbolic_link',
      'out/secret.txt symbolic_link',
      'reports/link.txt symbolic_link',
      'reports/loop symbolic_link',
      'reports/up symbolic_link',
    ]);
    expect(unpack().names.join()).not.toContain('secret');
  });

  it('omits pipes without waiting for them, and missing files', async () => {
    execFileSync('mkfifo', [resolve(root, 'reports/pipe')]);
    const packed = await pack(['reports', 'nothing.txt', 'reports/a.txt/below']);
    expect(packed.skipped.map(({ path, reason }) => `${path} ${reason}`)).toEqual([
      'reports/pipe not_a_file',
      'nothing.txt missing',
      'reports/a.txt/below symbolic_link',
    ]);
  });

  it('stays below its maximum size: the rest is omitted and listed (LIM-34)', async () => {
    const packed = await pack(['reports'], 1000);
    expect(packed).toMatchObject({ files: 1, skipped: [{ path: 'reports/deep/ü.bin', reason: 'size_limit' }] });
    expect(unpack().manifest).toMatchObject({ skipped: [{ path: 'reports/deep/ü.bin', reason: 'size_limit' }] });
  });

  it('writes control characters and invisible characters as their bytes, in a reversible form (EXEC-18)', async () => {
    const names = [
      '\u001b[2Jx',
      'a\nmanifest.json',
      'r\u202etxt.exe',
      'z\u200bero',
      'fi\u3164ll',
      'b\\..\\c',
      '100%',
      'a%1B',
      '%\u001b',
    ];
    mkdirSync(resolve(root, 'odd'));
    for (const name of names) writeFileSync(resolve(root, 'odd', name), name);
    symlinkSync('nowhere', resolve(root, 'odd/link\u001b]0;title\u0007'));
    const packed = await pack(['odd']);
    expect(packed.skipped).toEqual([{ path: 'odd/link%1B]0;title%07', reason: 'symbolic_link' }]);
    const { names: unpacked, manifest, read } = unpack();
    const odd = unpacked.filter((name) => name.startsWith('files/odd/'));
    expect(odd.map((name) => name.slice('files/odd/'.length)).sort()).toEqual(
      [
        '%1B[2Jx',
        'a%0Amanifest.json',
        'r%E2%80%AEtxt.exe',
        'z%E2%80%8Bero',
        'fi%E3%85%A4ll',
        'b%5C..%5Cc',
        '100%',
        'a%251B',
        '%%1B',
      ].sort(),
    );
    expect(manifest.files.map(({ path }) => `files/${path}`).sort()).toEqual(odd.sort());
    for (const name of odd) {
      const decoded = name.replaceAll(/(?:%[0-9A-F]{2})+/g, (bytes) => decodeURIComponent(bytes));
      expect(decoded).toBe(`files/odd/${read(name).toString()}`);
    }
  });

  it('omits repository metadata, wherever it is and whatever it is named (EXEC-18)', async () => {
    mkdirSync(resolve(root, 'reports/repo/.git'), { recursive: true });
    writeFileSync(resolve(root, 'reports/repo/.git/config'), '[remote]');
    writeFileSync(resolve(root, 'reports/repo/read.me'), 'x');
    mkdirSync(resolve(root, '.GIT'));
    writeFileSync(resolve(root, '.GIT/config'), '[remote]');
    const packed = await pack(['.', './.GIT/config', 'reports/repo/.git']);
    expect(packed.skipped.map(({ path, reason }) => `${path} ${reason}`)).toEqual([
      '.GIT repository_data',
      'reports/repo/.git repository_data',
      './.GIT/config repository_data',
      'reports/repo/.git repository_data',
    ]);
    const { names } = unpack();
    expect(names).toContain('files/reports/repo/read.me');
    expect(names.join().toLowerCase()).not.toContain('.git');
  });

  it('stores nothing if no files exist, and never a partial archive', async () => {
    expect(await pack(['nothing'])).toMatchObject({ kind: 'nothing' });
    expect(readdirSync(scratch())).not.toContain('archive.tar.gz');
  });

  it('packs a hard link as a separate file', async () => {
    linkSync(resolve(root, 'reports/a.txt'), resolve(root, 'reports/b.txt'));
    expect(await pack(['reports/a.txt', 'reports/b.txt'])).toMatchObject({ files: 2 });
  });
});
