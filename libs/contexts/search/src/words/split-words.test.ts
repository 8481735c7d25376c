import fc from 'fast-check';
import { listRuns } from '../testing/list-runs.ts';
import { isUnspaced, listForms, splitWords } from './split-words.ts';

/** Returns the runs of a text; the words at each position are joined with a bar. */
const read = (text: string): string[] => listRuns(text).map((run) => run.map((place) => place.join('|')).join(' '));

describe('the parts of words (CORP-5)', () => {
  it.each([
    ['of a path', 'a/src/net/http.ts:42:13', ['a src net http ts 42 13']],
    ['of a path of Windows', String.raw`C:\Temp\build_4.log`, ['c temp build 4 log']],
    ['of a file whose name begins with a dot', './.env', ['env']],
    ['of a dotted name, and the humps of the last', 'client.sendMessage(x)', ['client sendmessage', 'send message']],
    ['of a scoped name', 'core::result', []],
    ['of markup within words', 'List<Item>', ['list item']],
    ['of markup: all words between its signs', '<a class="wide box">text</a>', ['a class wide box text a']],
    ['of a version, without its letter too', 'v2.3.1', ['v2|2 3 1']],
    ['of a key of an issue', 'PROJ-123', ['proj 123']],
    ['of a mail address', 'priya@acme.dev', ['priya acme dev']],
    ['of a hash: how it begins', 'd41f8c2a9e7b60513f', ['d41f8c2a9e7b60513f|d41f8c2|d41f8c2a|d41f8c2a9e7b']],
    ['of capitals: the last begins the next word', 'XMLHttpRequest', ['xml http request']],
    ['of a hump with digits: what stands before them, too', 'HTTPServerError2xx', ['http server error2xx|error']],
    [
      'of a script without blanks: each two characters, and those of Han',
      '再構築エラー',
      ['再構|再 構築|構 築エ|築 エラ ラー'],
    ],
    ['of a mixed word: each script for itself', 'コード404です', ['コー ード 404 です']],
  ])('%s', (_what, text, runs) => {
    expect(read(text)).toEqual(runs);
  });

  it.each([
    'plain words, and nothing. More',
    "don't",
    'well-known',
    'get_user_by_id',
    'key=value',
    'a < b and c > d',
    '',
  ])('are not indexed twice if the text index already contains them: %s', (text) => {
    expect(listRuns(text)).toEqual([]);
  });

  it('contain no symbol, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const words = listRuns(text.normalize('NFC')).flat(2);
        expect(words.filter((word) => !/^[\p{L}\p{M}\p{N}]+$/u.test(word))).toEqual([]);
      }),
    );
  });

  it('are recognized in every script without blanks', () => {
    const unspaced =
      /^(?:(?=[\p{L}\p{N}])[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]|(?=[\p{L}\p{M}\p{N}])[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])$/u;
    const different: string[] = [];
    for (let code = 0; code <= 0x10_ff_ff; code += 1) {
      const letter = String.fromCodePoint(code);
      if (isUnspaced(letter) !== unspaced.test(letter)) different.push(letter);
    }
    expect(different).toEqual([]);
  });

  it('are split equally in a text and in a query: each compound word is one of the indexed runs', () => {
    const word = fc.constantFrom('src/net', 'a.b', 'v2.0', 'OPS-7', '検索', 'x@y.de', 'plain', 'camelCase');
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (words) => {
        const runs = read(words.join(' '));
        for (const { isCompound, run } of splitWords(words.join(' '))) {
          if (isCompound) expect(runs).toContain(run.map((place) => place.join('|')).join(' '));
        }
      }),
    );
  });

  it('do not split the letters of a blob', () => {
    expect(listForms('aB'.repeat(40))).toEqual(['ab'.repeat(40), 'ab'.repeat(40)]);
  });
});
