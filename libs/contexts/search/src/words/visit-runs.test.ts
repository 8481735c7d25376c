import fc from 'fast-check';
import { listRuns } from '../testing/list-runs.ts';
import { foldText, listPieces } from './fold-text.ts';
import { buildIndexWords, GOES_ON, stripTerminalCodes } from './index-words.ts';
import { isCompound, listHumpForms, listPlaces, splitHumps, type Place } from './split-words.ts';

const WORD = /[\p{L}\p{M}\p{N}._\-/\\@<>:=+&#~%?$]+/gu;
const MARKUP = /<[a-z/!?][^<>]*>/giu;
const PLAIN = /^(?:[A-Za-z]?[a-z]*|[0-9]+)[.:=?]?$/;

const PART = /[\p{L}\p{M}\p{N}]+/gu;
const UNSPACED =
  /(?:(?=[\p{L}\p{N}])[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]|(?=[\p{L}\p{M}\p{N}])[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])+/gu;

/** Returns the parts of a word by the definition: each script without spaces is a part of its own. */
function splitParts(word: string): string[] {
  return (word.match(PART) ?? []).flatMap((part) => {
    const parts: string[] = [];
    let from = 0;
    for (const match of part.matchAll(UNSPACED)) {
      parts.push(part.slice(from, match.index), match[0]);
      from = match.index + match[0].length;
    }
    return [...parts, part.slice(from)].filter((each) => each !== '');
  });
}

/** Returns the runs of a text by the definition: with a regular expression for each property of a word. */
function defineRuns(text: string): Place[][] {
  const tags = [...text.matchAll(MARKUP)].map(({ index, 0: tag }) => ({ start: index, end: index + tag.length }));
  const runs: Place[][] = [];
  let open: { readonly tag: object; readonly run: Place[] } | undefined;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const tag = tags.find(({ start, end }) => end > index && start < index + word.length);
    if (tag === undefined && PLAIN.test(word)) continue;
    const parts = splitParts(word);
    const run = parts.flatMap(listPlaces);
    if (tag !== undefined && tag === open?.tag) open.run.push(...run);
    else if (tag !== undefined || isCompound(word, parts)) {
      runs.push(run);
      open = tag === undefined ? undefined : { tag, run };
    }
    const humped = parts.map(splitHumps).filter(({ length }) => length > 1);
    runs.push(...humped.map((humps) => humps.map(listHumpForms)));
  }
  // No position has a word twice.
  return runs.filter(({ length }) => length > 0).map((run) => run.map((place) => [...new Set(place)]));
}

/** Returns the vector of a text by the definition: from the positions of each word. */
function deriveWords(content: string, goesOn: boolean): string {
  const written = stripTerminalCodes(content);
  const text = foldText(written);
  const pieces = text === written ? [] : listPieces(written).map((words) => words.map((word) => [word]));
  const positions = new Map<string, number[]>();
  let position = 0;
  for (const run of [...defineRuns(text), ...pieces]) {
    position += 1;
    for (const place of run) {
      position += 1;
      for (const word of place) positions.set(word, [...(positions.get(word) ?? []), position]);
    }
  }
  const entries = [...positions].map(([word, places]) => `'${word}':${places.map((place) => `${place}C`).join(',')}`);
  return [...(goesOn ? [`'${GOES_ON}':1`] : []), ...entries].join(' ');
}

const alphabets = [
  ...['aA', 'aA0', 'aA0.', 'abfF09', 'vV12', 'aB1 -+', '<>a /', '<aB c>/!?= ', '._-/\\@<>:=+&#~%?$ ', 'a1-', 'a1+ '],
  ...[
    'éÉa1. ',
    '北京aB1.',
    'あア한<>a',
    'กขา่ 1',
    'שלַa',
    'ſK<>s ',
    '١٢a-+',
    '𝒜😀a\u{20000}𐐀𐐨',
    '\ud800\udc00a',
    '\u0301a<',
  ],
];
const pieces = [
  ...[
    'src/a.ts',
    'camelCase',
    'XMLHttpRequest2',
    'HTTPServerError2xx',
    'v2.3.1',
    'D41F8C2A9E7B60513F',
    'OPS-7',
    'x@y.de',
  ],
  ...[
    '<a class="wide box">',
    '</a>',
    '<!-- getItem',
    '-->',
    '<b',
    'List<Item>',
    '検索中',
    'コード404です',
    'é1',
    '1e5',
    '+3',
  ],
  ...[
    'getΑlpha',
    'a'.repeat(201),
    'aB'.repeat(33),
    'aB'.repeat(101),
    '0a'.repeat(32),
    '0a'.repeat(33),
    '中中',
    '😀',
    '\ud83d',
  ],
  ...['plain', 'word.', 'a..', 'Stop?', '123', '12:', '=', ' ', '\n', ', ', ' ', '\u{e0061}', '\u200b'],
];
const texts = fc.oneof(
  ...alphabets.map((signs) => fc.string({ unit: fc.constantFrom(...signs), maxLength: 40 })),
  fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((parts) => parts.join('')),
  fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((parts) => parts.join(' ')),
  fc.string({ unit: 'binary-ascii', maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
);

describe('the scan for parts of words (CORP-5)', () => {
  it('finds the runs that regular expressions define, in any text of any script', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(listRuns(text)).toEqual(defineRuns(text));
      }),
      { numRuns: 5000 },
    );
  });

  it('gives each word its positions in the vector', () => {
    fc.assert(
      fc.property(texts, fc.boolean(), (text, goesOn) => {
        expect(buildIndexWords(text, goesOn).derived).toBe(deriveWords(text, goesOn));
      }),
      { numRuns: 2000, examples: [['a/'.repeat(3000), false]] },
    );
  });

  it('reads a text once, even if it begins markup again and again', () => {
    for (const text of ['<a '.repeat(100_000), '<'.repeat(300_000), `<${'a'.repeat(300_000)}`]) {
      const before = process.threadCpuUsage();
      listRuns(text);
      expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(2000);
    }
  });
});
