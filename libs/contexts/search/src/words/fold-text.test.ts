import fc from 'fast-check';
import { foldText, listPieces } from './fold-text.ts';

describe('the folding of equivalent spellings (CORP-5)', () => {
  it.each([
    ['accents, however they were typed', 'cafe\u0301', 'café'],
    ['full width', 'ＡＢＣ１２３', 'ABC123'],
    ['half width, with its marks', 'ｶﾞｲﾄﾞ', 'ガイド'],
    ['ligatures', 'o\ufb03ce \ufb01le', 'office file'],
    ['letters of formulas', '\u{1d42d}\u{1d428}\u{1d424}en', 'token'],
    ['Arabic letters by their place', '\ufe8d\ufedf\ufecc', 'الع'],
    ['vowel points of Arabic', 'كِتَابٌ', 'كتاب'],
    ['the stroke that lengthens a word', 'كتـــاب', 'كتاب'],
    ['vowel points of Hebrew', 'שָׁלוֹם', 'שלום'],
    ['spaces without width, soft hyphens, joiners', 'pass\u200bwo\u00ad\u2060rd\u200d', 'password'],
    ['signs of direction', '\u202eabc\u2066d\u200f', 'abcd'],
    ['byte order marks and variants', '\ufeffa\ufe0f\u{e0061}', 'a'],
    ['a sigma at the end', 'λόγος', 'λόγοσ'],
    ['a sharp s', 'Straße', 'Strasse'],
    ['a Turkish capital I', 'İstanbul', 'istanbul'],
    ['nothing else', 'naïve ñ ü 北京 ½ ™ … \n\t', 'naïve ñ ü 北京 ½ ™ … \n\t'],
    ['Thai vowels least of all', 'ที่นี่', 'ที่นี่'],
  ])('maps %s', (_what, text, folded) => {
    expect(foldText(text)).toBe(folded);
  });

  it('leaves no text unchanged that has anything to normalize', () => {
    const isChanged = (text: string): boolean =>
      text
        .normalize('NFC')
        .replaceAll(/[\uFB00-\uFDFB\uFE70-\uFEFC\uFF01-\uFFEF\u{1D400}-\u{1D7FF}]+/gu, (letters) =>
          letters.normalize('NFKC'),
        )
        .replaceAll(/\p{Default_Ignorable_Code_Point}+/gu, '')
        .replaceAll(/\u0640|(?=\p{Mn})[\u0591-\u05C7\u0610-\u061A\u064B-\u0652\u0656-\u065F\u0670\u06D6-\u06ED]/gu, '')
        .replaceAll(/[ςßẞİ]/gu, '') !== text;
    for (let code = 0; code <= 0x10_ff_ff; code += 1) {
      const letter = String.fromCodePoint(code);
      if (isChanged(letter) !== (foldText(letter) !== letter)) expect([code, foldText(letter)]).toBe(letter);
    }
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text));
      }),
    );
  });

  it('retains the parts of words that contain an invisible character', () => {
    expect(listPieces('see foo\u200bBar\u00ad\u200bbaz, and plain')).toEqual([['foo', 'bar', 'baz']]);
    expect(listPieces('plain \u200b words')).toEqual([]);
  });
});
