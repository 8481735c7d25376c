import fc from 'fast-check';
import { createBlobFilter } from './describe-blob.ts';
import { cleanContent } from './clean-content.ts';

function filter(text: string, cuts: readonly number[] = []): string {
  const blobs = createBlobFilter();
  const places = [0, ...[...cuts].sort((left, right) => left - right), text.length];
  const parts = places.slice(1).map((end, index) => text.slice(places[index], end));
  return parts.map((part) => blobs.push(part)).join('') + blobs.end();
}

const LONG = 'QUJD'.repeat(5000);

describe('long base64 in a text of several parts', () => {
  it.each([
    ['in a string', `{"data":"${LONG}"}`, '{"data":"[base64:20000]"}'],
    ['of a data URL', `{"url":"data:image/png;base64,${LONG}"}`, '{"url":"data:image/png;base64,[base64:20000]"}'],
    ['that PHP wrote', `{"data":"\\/9j${'QU\\/D'.repeat(5000)}"}`, '{"data":"[base64:20003]"}'],
    ['that .NET wrote', `{"data":"${'QU\\u002BD'.repeat(5000)}\\u003D"}`, '{"data":"[base64:20001]"}'],
    [
      'in JSON within JSON',
      `{"text":"{\\"data\\":\\"${'QU\\\\/D'.repeat(5000)}\\"}"}`,
      '{"text":"{\\"data\\":\\"[base64:20000]\\"}"}',
    ],
    ['within words', `{"text":"see ${LONG}"}`, `{"text":"see ${LONG}"}`],
    ['that is short', '{"data":"QUJD"}', '{"data":"QUJD"}'],
  ])('is omitted only if it stands by itself: %s', (_where, text, expected) => {
    expect(filter(text)).toBe(expected);
  });

  it('is omitted regardless of where the text is split, and nothing else is omitted', () => {
    const piece = fc.oneof(
      fc.string({ maxLength: 20 }),
      fc.constantFrom(
        '"',
        ',',
        '\n',
        '\\',
        '\\/',
        '\\u002B',
        '\\u00',
        LONG,
        `"${LONG}"`,
        `"data:image/png;base64,${LONG}",`,
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), fc.array(fc.nat(70_000), { maxLength: 5 }), (pieces, cuts) => {
        const text = pieces.join('');
        const whole = filter(text);
        const within = cuts.map((cut) => Math.min(cut, text.length));
        expect(filter(text, within)).toBe(whole);
        const back = whole.replace(/\[base64:(\d+)\]/g, (mark, chars) => (pieces.includes(mark) ? mark : `#${chars}#`));
        expect(back.length).toBeLessThanOrEqual(text.length);
        if (!text.includes(LONG)) expect(whole).toBe(text);
      }),
      { numRuns: 200 },
    );
  });
});

describe('the description of omitted data', () => {
  it.each([
    [{ type: 'base64', media_type: 'image/png', data: '[base64:2800000]' }, '[image/png, 2.1 MB]'],
    [{ mimeType: 'audio/wav', data: '[base64:20000]' }, '[audio/wav, 15.0 kB]'],
    [{ data: 'A'.repeat(400) }, '[base64, 300 bytes]'],
    [{ data: 'data:image/jpeg;base64,[base64:2800000]' }, '[image/jpeg, 2.1 MB]'],
    [{ data: 'data:image/jpeg;charset=utf-8;base64,AAAA' }, '[image/jpeg, 3 bytes]'],
  ])('contains the type and the size', (value, expected) => {
    expect(cleanContent(value)).toMatchObject({ data: expected });
  });
});
