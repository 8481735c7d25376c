import fc from 'fast-check';
import { cleanPath, isInside } from './clean-path.ts';
import { listPatchedFiles } from './list-patched-files.ts';

describe('a path (POL-29)', () => {
  it.each([
    ['/work/../etc/passwd', '/etc/passwd'],
    ['/work//a/./b/', '/work/a/b'],
    ['/../..', '/'],
    ['a/../../b', '../b'],
    ['./a', 'a'],
    ['', '.'],
    ['~', '~'],
    ['~/a/../b', '~/b'],
    ['~/../x', '~/../x'],
    ['~dana/x', '~dana/x'],
    ['$HOME/.ssh', '~/.ssh'],
    ['${HOME}', '~'],
    ['$HOMER/x', '$HOMER/x'],
    ['$PWD/../x', '../x'],
    ['file:///etc/passwd', '/etc/passwd'],
    ['file://localhost/etc/%70asswd', '/etc/passwd'],
    ['FILE:/etc/%zz', '/etc/%zz'],
    ['/proc/self/root/etc/x', '/etc/x'],
    ['/proc/1/root/proc/self/root', '/'],
    ['/proc/self/cwd/../x', '../x'],
    ['C:\\work\\..\\x', 'c:/x'],
  ])('%s is %s', (text, clean) => {
    expect(cleanPath(text)).toBe(clean);
  });

  it.each([
    ['/work', '/work', true],
    ['/work/a', '/work/', true],
    ['/workshop', '/work', false],
    ['/work/../x', '/work', false],
    ['a', '/work', false],
    ['a/b', '.', true],
    ['../a', '.', false],
    ['..a', '.', true],
    ['~/a', '.', false],
    ['/a', '.', false],
    ['/a', '/', true],
    ['a', '/', false],
    ['~/a', '~', true],
    ['~/../a', '~', false],
    ['../a', '..', true],
    ['../../a', '..', false],
    ['/work/a\u0000', '/work', false],
  ])('%s in %s: %s', (path, folder, expected) => {
    expect(isInside(path, folder)).toBe(expected);
  });

  it('that is already clean remains unchanged, and contains .. only at its start', () => {
    const part = fc.constantFrom('a', '..', '.', '', 'b c', '...');
    fc.assert(
      fc.property(fc.constantFrom('', '/', '~/', 'file:///'), fc.array(part, { maxLength: 10 }), (start, parts) => {
        const clean = cleanPath(start + parts.join('/'));
        expect(cleanPath(clean)).toBe(clean);
        expect(/[^./~][^/]*\/\.\.(?:\/|$)/.test(clean)).toBe(false);
      }),
    );
  });
});

describe('the files of a patch', () => {
  it('are those that it adds, changes, moves and deletes', () => {
    const patch = [
      '*** Begin Patch',
      '*** Add File: a/../b',
      '+*** Add File: not this',
      '*** Update File: /etc/x',
      '*** Move to: c',
      '*** Delete File: d',
      '*** End Patch',
    ].join('\n');
    expect(listPatchedFiles(patch)).toEqual(['b', '/etc/x', 'c', 'd']);
    expect(listPatchedFiles('--- a/x\n+++ b/y\t2026\n--- /dev/null\n+++ ../z')).toEqual(['x', 'y', '../z']);
    expect(listPatchedFiles('no patch')).toEqual([]);
  });
});
