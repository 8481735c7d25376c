import fc from 'fast-check';
import { compileCover, compileGlob, compileToolPattern, splitToolPattern } from './glob.ts';

describe('patterns of tools (POL-18)', () => {
  it.each([
    ['db/*', 'db', 'drop_table', true],
    ['db/*', 'web', 'drop_table', false],
    ['*/write_*', 'files', 'write_file', true],
    ['*/write_*', 'files', 'rewrite_file', false],
    ['*', 'local', 'Bash', true],
    ['*/*', 'local', 'Bash', true],
    ['Bash', 'local', 'Bash', true],
    ['db/drop', 'db', 'drop', true],
    ['db/drop', 'db', 'Drop', false],
    ['d*b/*_*', 'd-b', 'a_b', true],
    ['d*b/*_*', 'd-b', 'ab', false],
    ['a*a/x', 'a', 'x', false],
    ['s__a', 's', 'a', true],
    ['*/s__a', 's', 'a', true],
    ['*/s__*', 's', 'a', true],
    ['mcp__*__s__a', 's', 'a', true],
    ['s__a\nb', 's', 'a\nb', true],
    ['t/s__a', 's', 'a', false],
    ['s__a', 't', 'a', false],
  ])('%s and %s/%s: %s', (pattern, server, tool, expected) => {
    expect(compileToolPattern(pattern)(server, tool)).toBe(expected);
  });

  it('agree with a regular expression', () => {
    const piece = fc.constantFrom('a', 'b', 'ab', '*', '.', '');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), fc.array(piece, { maxLength: 8 }), (pattern, text) => {
        const [glob, subject] = [pattern.join(''), text.join('')];
        const source = glob
          .split('*')
          .map((part) => part.replaceAll('.', '\\.'))
          .join('[^]*');
        expect(compileGlob(glob)(subject)).toBe(new RegExp(`^${source}$`).test(subject));
      }),
    );
  });

  it('match everything that a narrower pattern matches', () => {
    const text = (...pieces: string[]) =>
      fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''));
    const pattern = fc.tuple(fc.constantFrom('s/', 's__', 'mcp__s__', 'mcp__', '*/', ''), text('a', 's', '__', '*'));
    fc.assert(
      fc.property(pattern, pattern, fc.constantFrom('s', 'a'), text('a', 's', '__'), (first, second, server, name) => {
        const [wide, narrow] = [first.join(''), second.join('')];
        if (!compileCover(wide).covers(splitToolPattern(narrow)) || !compileToolPattern(narrow)(server, name)) return;
        expect(compileToolPattern(wide)(server, name)).toBe(true);
      }),
      { examples: [[['', 's*'], ['s__', 'a'], 's', 'a']] },
    );
  });
});
