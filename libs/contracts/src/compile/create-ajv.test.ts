import { Type } from '@sinclair/typebox';
import { createAjv } from './create-ajv.ts';

const accepts = (format: string, value: unknown): boolean => createAjv().validate({ type: 'string', format }, value);

describe('formats of the schemas (API-6, API-15)', () => {
  it.each(['2026-11-20T09:00:00Z', '2026-11-20T09:00:00.123456Z', '2026-11-20T10:00:00+01:00', '2028-02-29T00:00:00Z'])(
    '%s is a time',
    (text) => {
      expect(accepts('date-time', text)).toBe(true);
    },
  );

  it.each([
    ['without an offset', '2026-11-20T09:00:00'],
    ['without a time', '2026-11-20'],
    ['of a day that does not exist', '2026-02-30T00:00:00Z'],
    ['of the 29th of February in a year without', '2027-02-29T00:00:00Z'],
    ['of a thirteenth month', '2026-13-01T00:00:00Z'],
    ['of a 25th hour', '2026-11-20T25:00:00Z'],
    ['of a 61st minute', '2026-11-20T09:60:00Z'],
    ['with blanks around it', ' 2026-11-20T09:00:00Z'],
    ['with a line end behind it', '2026-11-20T09:00:00Z\n'],
    ['in words', 'yesterday'],
  ])('a string is not accepted as a time %s', (_what, text) => {
    expect(accepts('date-time', text)).toBe(false);
  });

  it.each(['0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b11', '0199F3A2-6A60-7C1E-9D53-0A4F5F0D1B11'])('%s is an id', (text) => {
    expect(accepts('uuid', text)).toBe(true);
  });

  it.each([
    ['that is cut', '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b1'],
    ['with more behind it', '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b11/..'],
    ['with a line end behind it', '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b11\n'],
    ['of other signs', '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b1g'],
    ['without dashes', '0199f3a26a607c1e9d530a4f5f0d1b11'],
    ['in braces', '{0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b11}'],
    ['that is empty', ''],
  ])('a string is not accepted as an id %s', (_what, text) => {
    expect(accepts('uuid', text)).toBe(false);
  });

  it('an unknown format is refused, because a typo would otherwise accept every value', () => {
    expect(() => createAjv().compile({ type: 'string', format: 'uuidd' })).toThrow('uuidd');
  });
});

describe('lengths (API-15)', () => {
  const fits = createAjv().compile(Type.String({ minLength: 2, maxLength: 3 }));

  it.each([
    ['🔑🔑', true],
    ['🔑🔑🔑', true],
    ['🔑', false],
    ['🔑🔑🔑🔑', false],
  ])('are counted in characters and not in code units: %s', (text, isTaken) => {
    expect(fits(text)).toBe(isTaken);
  });
});
