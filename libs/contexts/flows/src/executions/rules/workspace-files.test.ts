import fc from 'fast-check';
import { posix } from 'node:path';
import {
  describePathProblem,
  MAX_FILE_BASE64_BYTES,
  MAX_FILES,
  MAX_TOTAL_BASE64_BYTES,
  validateWorkspaceFiles,
} from './workspace-files.ts';

const file = (path: string, content_base64 = 'aGVsbG8=') => ({ path, content_base64 });
/** Returns valid base64 of exactly this many characters. */
const base64Of = (length: number): string => Buffer.alloc((length / 4) * 3, 7).toString('base64');

describe('workspace_files', () => {
  it('accepts no declaration, an empty one, and files in folders', () => {
    expect(validateWorkspaceFiles(undefined)).toEqual({ kind: 'valid', files: [] });
    expect(validateWorkspaceFiles([])).toEqual({ kind: 'valid', files: [] });
    expect(validateWorkspaceFiles([file('a/./b//c.txt')])).toEqual({
      kind: 'valid',
      files: [{ path: 'a/b/c.txt', content: Buffer.from('hello') }],
    });
  });

  it.each([
    ['absolute', '/etc/passwd'],
    ['a drive', 'C:/x'],
    ['a drive after a dot', './C:x'],
    ['home', '~/x'],
    ['somebody’s home', '~root/x'],
    ['a home directory inside', 'a/~/b'],
    ['backslash', 'a\\b'],
    ['a control character', 'a\u0007b'],
    ['NUL', 'a\u0000b'],
    ['a line break', 'a\nb'],
    ['traversal', '../x'],
    ['a traversal inside', 'a/../../x'],
    ['a traversal at the end', 'a/..'],
    ['empty', ''],
    ['the folder itself', '.'],
    ['a folder', 'a/'],
    ['git', '.git/config'],
    ['.git at depth', 'a/b/.git/hooks/post-checkout'],
    ['.git in upper case', '.GIT/config'],
    ['.git with a dot', '.git./config'],
    ['.git by its short name', 'git~1/config'],
    ['.git with a hidden character', '.g\u200Dit/config'],
    ['a lone surrogate', 'a\ud800'],
    ['a trailing dot', 'a./b'],
    ['a trailing space', 'a /b'],
    ['a device', 'aux'],
    ['a device with an extension', 'src/con.txt'],
    ['a segment that is too long', 'x'.repeat(256)],
    ['a path that is too long', 'x/'.repeat(600) + 'y'],
  ])('refuses a path with %s', (_what, path) => {
    expect(validateWorkspaceFiles([file(path)])).toMatchObject({ kind: 'invalid' });
  });

  it.each(['.github/workflows/x.yml', '.gitignore', 'a.git/x', 'foo~', 'con2', 'конец/файл', '日本/語.txt', 'a b/c'])(
    'accepts %j',
    (path) => {
      expect(validateWorkspaceFiles([file(path)])).toMatchObject({ kind: 'valid' });
    },
  );

  it.each([
    ['unpadded', 'aGVsbG8'],
    ['URL alphabet', '_-_-'],
    ['rubbish', '!!!!'],
    ['too much padding', 'aGVsbG8=='],
    ['followed by extra bits', 'aGVsbG9='],
  ])('refuses base64 that is %s', (_what, content) => {
    expect(validateWorkspaceFiles([file('a', content)])).toMatchObject({ kind: 'invalid', path: 'a' });
  });

  it('tolerates ASCII white space around and inside base64 (FLOW-36)', () => {
    expect(validateWorkspaceFiles([file('a', ' aGVs\r\n bG\v\f8=\t\n')])).toMatchObject({
      files: [{ content: Buffer.from('hello') }],
    });
  });

  it.each([
    '\u00a0',
    '\u0085',
    '\u1680',
    '\u2003',
    '\u2028',
    '\u2029',
    '\u202f',
    '\u3000',
    '\ufeff',
    '\u200b',
    '\u0000',
  ])('refuses any other white space in base64: %j', (space) => {
    for (const content of [`${space}aGVsbG8=`, `aGVs${space}bG8=`, `aGVsbG8=${space}`, space])
      expect(validateWorkspaceFiles([file('a', content)])).toMatchObject({ kind: 'invalid', path: 'a' });
  });

  it.each([
    null,
    'x',
    7,
    {},
    [null],
    ['x'],
    [{ path: 'a' }],
    [{ content_base64: '' }],
    [{ path: 1, content_base64: '' }],
    [{ ...file('a'), mode: 7 }],
  ])('refuses the declaration %j (FLOW-33)', (declaration) => {
    expect(validateWorkspaceFiles(declaration)).toMatchObject({ kind: 'invalid' });
  });

  it('measures the exact encoded size: 96 KiB per file (FLOW-37)', () => {
    expect(validateWorkspaceFiles([file('a', base64Of(MAX_FILE_BASE64_BYTES))]).kind).toBe('valid');
    expect(validateWorkspaceFiles([file('a', base64Of(MAX_FILE_BASE64_BYTES + 4))])).toMatchObject({
      kind: 'too_large',
      limit: 98_304,
      actual: 98_308,
      overage: 4,
      path: 'a',
    });
  });

  it('measures the exact encoded size: 1 MiB in total (FLOW-37)', () => {
    const many = (extra: number) => [
      ...Array.from({ length: 15 }, (_, index) => file(`f${index}`, base64Of(69_904))),
      file('last', base64Of(16 + extra)),
    ];
    expect(many(0).reduce((sum, entry) => sum + entry.content_base64.length, 0)).toBe(MAX_TOTAL_BASE64_BYTES);
    expect(validateWorkspaceFiles(many(0)).kind).toBe('valid');
    expect(validateWorkspaceFiles(many(4))).toMatchObject({
      kind: 'too_large',
      limit: 1_048_576,
      actual: 1_048_580,
      overage: 4,
    });
  });

  it('allows 50 files and reports the excess of 51 (FLOW-37)', () => {
    const files = Array.from({ length: MAX_FILES + 1 }, (_, index) => file(`f${index}`));
    expect(validateWorkspaceFiles(files.slice(1)).kind).toBe('valid');
    expect(validateWorkspaceFiles(files)).toMatchObject({ kind: 'too_large', limit: 50, actual: 51, overage: 1 });
  });

  it.each([
    ['the same path', 'a/b', 'a/b'],
    ['another spelling', 'a/b', 'a//./b'],
    ['a different case', 'README.md', 'readme.MD'],
    ['a different Unicode form', 'caf\u00e9', 'cafe\u0301'],
    ['a file and its folder', 'a', 'a/b'],
    ['a folder and its file', 'a/b/c', 'a/b'],
  ])('refuses two files for the same path: %s (FLOW-35)', (_what, first, second) => {
    expect(validateWorkspaceFiles([file(first), file(second)])).toMatchObject({ kind: 'invalid' });
  });

  it('every accepted file stays below the workspace (FLOW-34)', () => {
    const segment = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 6 }),
      fc.constantFrom('..', '.', '~', '.git', '', 'a', '\\', 'con'),
    );
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 6 }), (segments) => {
        const path = segments.join('/');
        if (describePathProblem(path) !== undefined) return;
        const target = posix.resolve('/workspace', path);
        expect(target.startsWith('/workspace/')).toBe(true);
        expect(target.split('/')).not.toContain('.git');
      }),
      { numRuns: 2000 },
    );
  });

  it('any bytes remain unchanged by encoding and validation', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
        const outcome = validateWorkspaceFiles([file('a', Buffer.from(bytes).toString('base64'))]);
        expect(outcome).toEqual({ kind: 'valid', files: [{ path: 'a', content: Buffer.from(bytes) }] });
      }),
    );
  });
});
