import fc from 'fast-check';
import pg from 'pg';
import { parseTimestamp } from './parse-timestamp.ts';

const parseByDriver = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (text: string) => unknown;

describe('a timestamp returned by the database', () => {
  it('is parsed with the same result as by the driver, with any precision', () => {
    const moment = fc.date({ min: new Date(-8e15), max: new Date(8e15), noInvalidDate: true });
    fc.assert(
      fc.property(
        moment,
        fc.integer({ min: 0, max: 6 }),
        fc.constantFrom('+00', '+02', '-03:30'),
        (date, digits, zone) => {
          const [day = '', time = ''] = date.toISOString().replace('Z', '999').split('T');
          const text = `${day.replace(/^\+/, '')} ${time.slice(0, digits === 0 ? 8 : 9 + digits)}${zone}`;
          expect(parseTimestamp(text)).toEqual(parseByDriver(text));
        },
      ),
    );
  });

  it.each([
    'infinity',
    '-infinity',
    '0044-03-15 12:00:00+00 BC',
    '0099-01-01 00:00:00+00',
    '12345-01-01 00:00:00.5+00',
  ])('is left to the driver if its format is unusual: %s', (text) => {
    expect(parseTimestamp(text)).toEqual(parseByDriver(text));
  });
});
