import { AppError } from '@steward/contracts';
import { requireJson, requireMediaType } from './media-type.ts';

const FORM = 'application/x-www-form-urlencoded';

function answer(check: () => void): number {
  try {
    check();
    return 200;
  } catch (error) {
    return error instanceof AppError ? error.status : 500;
  }
}

describe('the content type of a JSON body', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/vnd.github+json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; Charset="Utf-8"',
    'application/json; charset="utf\\-8"',
    'application/json ; charset = utf8',
    'application/json; charset=utf-8; charset=UTF-8',
    'application/json; note="; charset=latin1"; charset=utf-8',
    'application/json; version=1',
    'application/json;;;',
    'application/json; charset',
  ])('is accepted: %s', (type) => {
    expect(answer(() => requireJson({ headers: { 'content-type': type } }))).toBe(200);
  });

  it.each([
    '',
    'text/plain',
    'application/jsonp',
    'application/json; charset=latin1',
    'application/json; charset=ISO-8859-1',
    'application/json;charset="UTF-16"',
    'application/json; charset=us-ascii',
    'application/json; charset=',
    'application/json; CHARSET = "windows-1252" ',
    'application/json; charset=utf-8; charset=latin1',
    'application/json; a="\\"; charset=latin1',
    'application/vnd.github+json; charset=utf-7',
    'application/json; charset=utf-8x',
    'application/json; charset="utf-8',
    'application/json; note="never closed',
  ])('is refused with 415: %s', (type) => {
    expect(answer(() => requireJson({ headers: { 'content-type': type } }))).toBe(415);
  });

  it.each([';a="', ';a="\\"', '; ', ';charset', ';a =', ';"\\', ';='])(
    'is parsed quickly, even for 16 KiB of %j',
    (piece) => {
      const type = `application/json${piece.repeat(16_384 / piece.length)}`;
      const measure = (): number => {
        const before = process.cpuUsage();
        // A type with an unclosed quote results in 415.
        expect([200, 415]).toContain(answer(() => requireJson({ headers: { 'content-type': type } })));
        return process.cpuUsage(before).user / 1000;
      };
      // The minimum of three measurements is used, since garbage from other tests may be collected during one of them.
      expect(Math.min(measure(), measure(), measure())).toBeLessThan(200);
    },
  );
});

it('a form has the same charset restriction', () => {
  const check = (type: string) => answer(() => requireMediaType({ headers: { 'content-type': type } }, FORM));
  expect([check(FORM), check(`${FORM}; charset=UTF-8`), check(`${FORM}; charset=latin1`)]).toEqual([200, 200, 415]);
});
