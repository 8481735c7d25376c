import fc from 'fast-check';
import { readArguments, readShell } from './read-shell.ts';
import type { ShellProgram } from './shell-program.ts';

const words = ({ program, args, unreadable }: ShellProgram) => (unreadable ? ['?'] : [program, ...args]).join(' ');

describe('the programs of a command line (POL-29)', () => {
  it.each([
    ['ls -la', ['ls -la']],
    ['/usr/bin/Git  "push"', ['git push']],
    ['a && b || c; d & e', ['a', 'b', 'c', 'd', 'e']],
    ['a \\\n b\nc', ['a b', 'c']],
    ['(a; { b; })', ['a', 'b']],
    ['if a; then b; elif c; then d; else e; fi', ['a', 'b', 'c', 'd', 'e']],
    ['for x in 1; do a; done; while b; do c; done', ['a', 'b', 'c']],
    ['case x in x) a;; *) b;; esac; f() { c; }', ['a', 'b', 'c']],
    ['echo $(a `b` "$(c)")', ['b', 'c', 'a `b` $(c)', 'echo $(a `b` "$(c)")']],
    ['X=1 Y=2 a', ['a']],
    ['X="-r -f"; rm $X "$X"', ['rm -r -f -r -f']],
    ['rm $UNKNOWN "$X"', ['rm $UNKNOWN $X']],
    ['sudo -u x env -i A=b nice -n 3 a c', ['sudo -u x', 'env -i A=b', 'nice -n 3', 'a c']],
    ['time -p a; nohup b; timeout -k 1 5 c', ['a', 'nohup', 'b', 'timeout -k 1 5', 'c']],
    ['echo 1 2 | xargs -n 1 a', ['echo 1 2', 'xargs -n 1', 'a 1 2']],
    [`sh -c 'a; b'`, ['sh -c a; b', 'a', 'b']],
    ['eval a "b;" c', ['eval a b; c', 'a b', 'c']],
    ['sh <<E\na\nE', ['sh', 'a']],
    ['cat <<E\nnot run\nE', ['cat']],
    ['find . -exec a {} +', ['find . -exec a {} +', 'a {}']],
    ['echo {a,b}{1,2} {c', ['echo a1 a2 b1 b2 {c']],
    ['echo x/{a,b}/{1..3}.ts', ['echo x/a/{1..3}.ts x/b/{1..3}.ts']],
    ['# only a comment', []],
    ['', []],
  ])('are recognized in %j', (text, expected) => {
    expect(readShell(text).map(words)).toEqual(expected);
  });

  it.each([
    ['a variable as a name', '$X a'],
    ['the output of another as a name', '$(cat x) a'],
    ['a pattern as a name', '/bin/r? a'],
    ['an open quote', 'git push "a'],
    ['an open group', '(a'],
    ['a word that does not fit', 'a; fi'],
    ['code from a pipe', 'a | sh'],
    ['code from a substitution', 'sh <(a)'],
    ['too long a string', `a ${'b'.repeat(70_000)}`],
    ['too many programs', 'a;'.repeat(1_000)],
    ['too many words', `a ${'b '.repeat(3_000)}`],
    ['too deep', `${'$('.repeat(40)}a${')'.repeat(40)}`],
    ['a string that grows', `A=aaaaaaaa-${';A="$A$A"'.repeat(60)}; a $A`],
  ])('are unreadable: %s', (_what, text) => {
    expect(readShell(text).some(({ unreadable }) => unreadable)).toBe(true);
  });

  it('include which programs are piped into which, and which output is executed as code', () => {
    const [curl, jq, sh] = readShell('curl x | jq . | sh');
    expect([curl?.pipes_to, jq?.pipes_to, sh?.code_from]).toEqual([['jq', 'sh'], ['sh'], ['curl', 'jq']]);
    expect(readShell('curl -o f x; sh ./f').at(-1)?.code_from).toEqual(['curl']);
    expect(readShell('curl x | python3 -c "1"').at(-1)?.code_from).toEqual([]);
  });

  it('include the files that they write', () => {
    const writes = (text: string) => readShell(text).flatMap((program) => program.writes);
    expect(writes('a > b 2>&1 >/dev/null; cd /etc; cp x y; sed -i s/a/b/ z')).toEqual(['b', '/etc/y', '/etc/z']);
    expect(readShell('a > $B')[0]).toMatchObject({ writes: [], writes_unknown: true });
    expect(readShell('cd $A; a > b').at(-1)).toMatchObject({ writes: [], writes_unknown: true });
    expect(writes('(cd /etc; a > b); a > c')).toEqual(['/etc/b', 'c']);
  });

  it('can be given as a list of arguments, which is not parsed as shell syntax', () => {
    expect(readArguments(['a', '; b', '$C']).map(words)).toEqual(['a ; b $C']);
    expect(readArguments(['bash', '-lc', 'rm x']).map(words)).toEqual(['bash -lc rm x', 'rm x']);
    expect(readArguments([]).map(words)).toEqual([]);
  });

  it('are found in any string, up to a limit', () => {
    const piece = fc.constantFrom(
      ...[
        'a',
        ' ',
        '\n',
        '"',
        "'",
        '`',
        '$(',
        ')',
        '${',
        '}',
        '((',
        '<(',
        '<<E',
        'E',
        '|',
        '&&',
        ';',
        '{a,b}',
        '$A',
        'A=b-',
      ],
      ...[
        'sh -c ',
        'xargs ',
        'eval ',
        'sudo ',
        'if ',
        'then ',
        'fi',
        'case ',
        'in ',
        'esac',
        '\\',
        '>',
        '[[',
        '*',
        '!',
        '\u0000',
        '\ud800',
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => {
        const programs = readShell(pieces.join(''));
        expect(programs.length).toBeLessThanOrEqual(501);
        expect(programs.reduce((sum, { args }) => sum + args.length, 0)).toBeLessThanOrEqual(2_000);
        expect(JSON.stringify(programs).length).toBeLessThan(1_000_000);
      }),
      { numRuns: 500 },
    );
  });

  it('are the same regardless of how the command is wrapped', () => {
    const wrap = fc.constantFrom<(code: string) => string>(
      (code) => `( ${code} )`,
      (code) => `true && ${code}`,
      (code) => `{ ${code}; }`,
      (code) => `sudo bash -c '${code.replaceAll("'", `'\\''`)}'`,
      (code) => `eval '${code.replaceAll("'", `'\\''`)}'`,
      (code) => `echo "$( ${code} )"`,
      (code) => `if a; then ${code}; fi`,
      (code) => `bash <<'E${code.length}'\n${code}\nE${code.length}`,
      (code) => `${code} | cat`,
      (code) => `X=1\n${code}\n`,
    );
    fc.assert(
      fc.property(fc.array(wrap, { maxLength: 5 }), (wraps) => {
        const text = wraps.reduce((code, one) => one(code), 'git push --force');
        const found = readShell(text).find(({ program }) => program === 'git');
        expect(found).toMatchObject({ subcommand: 'push', flags: ['force'] });
      }),
    );
  });
});
