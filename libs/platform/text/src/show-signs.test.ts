import { escapeSigns, showSigns } from './show-signs.ts';

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);
const write = (code: number): string => `\\u{${code.toString(16)}}`;

const HIDDEN: readonly [string, number[]][] = [
  ['control characters (C0) but tab and line feed', range(0, 0x1f).filter((code) => code !== 9 && code !== 10)],
  ['delete and control characters (C1)', range(0x7f, 0x9f)],
  ['soft hyphen', [0xad]],
  ['combining grapheme joiner', [0x34f]],
  ['Arabic letter mark', [0x61c]],
  ['Hangul fillers', [0x115f, 0x1160, 0x3164, 0xffa0]],
  ['Khmer vowels without a look', [0x17b4, 0x17b5]],
  ['Mongolian selectors and the vowel separator', range(0x180b, 0x180f)],
  ['spaces of no width, joiners, marks of direction', range(0x200b, 0x200f)],
  ['separators of lines and paragraphs', [0x2028, 0x2029]],
  ['embeddings and overrides of direction', range(0x202a, 0x202e)],
  ['word joiner and invisible operators', range(0x2060, 0x2064)],
  ['isolates of direction', range(0x2066, 0x2069)],
  ['deprecated format characters', range(0x206a, 0x206f)],
  ['the blank of Braille', [0x2800]],
  ['variation selectors', range(0xfe00, 0xfe0f)],
  ['byte order mark', [0xfeff]],
  ['annotations', range(0xfff9, 0xfffb)],
  ['shorthand and musical format characters', [...range(0x1bca0, 0x1bca3), ...range(0x1d173, 0x1d17a)]],
  ['tags', range(0xe0000, 0xe007f)],
  ['further variation selectors', range(0xe0100, 0xe01ef)],
  ['halves of characters', [0xd800, 0xdbff, 0xdc00, 0xdfff]],
];

describe('invisible and reordering characters (APR-23)', () => {
  it.each(HIDDEN)('are shown as escapes: %s', (_what, codes) => {
    for (const code of codes) {
      const sign = String.fromCodePoint(code);
      for (const [before, after] of [
        ['cat notes', '.txt'],
        ['', ''],
        ['x ', ' y'],
        ['1', '2'],
      ] as const) {
        expect(showSigns(before + sign + after)).toBe(before + write(code) + after);
      }
      expect(showSigns(sign.repeat(3))).not.toContain(sign);
    }
  });

  it.each<[string, string]>([
    ['lines and tabs', 'a\n\tb'],
    ['English', 'Drop the table “orders” – now… 100 €'],
    ['French with its spaces', 'Prêt\u00a0? 1\u202f000'],
    ['Arabic', 'احذف الجدول orders الآن (٣ صفوف)، شكرًا'],
    ['Arabic that says where a number ends', '\u06dd\u0661'],
    ['Hebrew with points', 'מְחַק אֶת הַטַּבְלָה orders'],
    ['Persian with its non-joiner', 'می\u200cخواهم'],
    ['Hindi with a joiner', 'क्\u200dष'],
    ['Sinhala with a joiner', 'ශ්\u200dරී'],
    ['Japanese', '注文を削除　する'],
    ['a Japanese name with a variant', '葛\u{e0100}城'],
    ['Mongolian with a variant', 'ᠠ\u180b'],
    ['Chinese, Korean, Thai', '删除订单 주문 삭제 ลบคำสั่ง'],
    ['Braille', '⠓⠊\u2800⠓⠊'],
    ['a heart and a keycap', '❤\ufe0f 1\ufe0f\u20e3 ©\ufe0e'],
    ['a family', '👨\u200d👩\u200d👧\u200d👦'],
    ['a profession with a colour', '👩🏽\u200d🚀 🧑🏿\u200d🦰'],
    ['a rainbow flag and a pirate', '🏳\ufe0f\u200d🌈 🏴\u200d☠\ufe0f'],
    ['the flags of countries', '🇩🇪 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
    ['characters of two halves', '𝒳 🂡'],
  ])('do not include %s', (_what, text) => {
    expect(showSigns(text)).toBe(text);
    expect(escapeSigns(JSON.stringify(text))).toBe(JSON.stringify(text));
  });

  it.each<[string, string, string]>([
    ['joiners between other letters', 'pay\u200dpal \u200cadmin', 'pay\\u{200d}pal \\u{200c}admin'],
    ['a joiner behind an emoji', '🚀\u200d.sh', '🚀\\u{200d}.sh'],
    ['two joiners in one place', 'م\u200c\u200cخ', 'م\\u{200c}\\u{200c}خ'],
    ['a second selector', '❤\ufe0f\ufe0f', '❤\ufe0f\\u{fe0f}'],
    ['selectors that carry a text', '🚀\u{e0131}\u{e0132}', '🚀\\u{e0131}\\u{e0132}'],
    ['tags behind a flag', '🏴\u{e0072}\u{e006d}\u{e007f}', '🏴\\u{e0072}\\u{e006d}\\u{e007f}'],
    ['a mark of direction in Arabic', 'ا\u200fب', 'ا\\u{200f}ب'],
  ])('are distinguished from ordinary writing: %s', (_what, text, shown) => {
    expect(showSigns(text)).toBe(shown);
  });

  it('are escaped in JSON without changing its meaning', () => {
    const text = HIDDEN.flatMap(([, codes]) => codes.map((code) => String.fromCodePoint(code))).join('x');
    const json = escapeSigns(JSON.stringify({ text }, undefined, 2));
    expect(JSON.parse(json)).toEqual({ text });
    expect(json).toMatch(/^[ -~\n]*$/);
  });

  it('are found in linear time', () => {
    // The test measures CPU time, since the machine may have other load.
    const before = process.threadCpuUsage();
    for (const sign of ['\u{e0041}', '\u200d', '\u{1f3f4}\u{e0067}']) showSigns(sign.repeat(300_000));
    expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(10_000);
  });
});
