import { Type } from '@sinclair/typebox';
import { AppError } from '@steward/contracts';
import { compileBodyValidation, compileTextValidation } from './validation.ts';

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
  throw new Error('accepted');
}

describe('validation messages', () => {
  const color = Type.Union([Type.Literal('red'), Type.Literal('green'), Type.Literal('blue')]);

  it('list every choice of a union of literals, in bodies and in queries', () => {
    const expected = '"color" must be one of: red, green, blue.';
    const schema = Type.Object({ color });
    expect(messageOf(() => compileBodyValidation(schema)({ color: 'pink' }))).toBe(expected);
    expect(messageOf(() => compileTextValidation(schema)({ color: 'pink' }))).toBe(expected);
  });

  it('list the choices of a nullable union, and of one literal', () => {
    const schema = Type.Object({
      color: Type.Union([color, Type.Null()]),
      only: Type.Optional(Type.Literal('dead')),
    });
    expect(messageOf(() => compileBodyValidation(schema)({ color: 'pink' }))).toBe(
      '"color" must be one of: red, green, blue.',
    );
    expect(messageOf(() => compileBodyValidation(schema)({ color: null, only: 'x' }))).toBe(
      '"only" must be one of: dead.',
    );
  });

  it('name the invalid key inside a nullable object', () => {
    const inner = Type.Object({ a: Type.Optional(Type.Integer()) }, { additionalProperties: false });
    const validate = compileBodyValidation(Type.Object({ inner: Type.Union([inner, Type.Null()]) }));
    expect(messageOf(() => validate({ inner: { typo: 1 } }))).toBe(
      '"inner.typo" is not a known field of this request.',
    );
  });
});

describe('a query parameter that accepts several values (API-20)', () => {
  const validate = compileTextValidation(
    Type.Object({
      label: Type.Optional(Type.Array(Type.String({ minLength: 2 }), { maxItems: 2 })),
      count: Type.Optional(Type.Array(Type.Integer())),
      limit: Type.Optional(Type.Integer()),
    }),
  );

  it.each<[string, object, object]>([
    ['once', { label: 'a:b' }, { label: ['a:b'] }],
    ['twice', { label: ['a:b', 'c:d'] }, { label: ['a:b', 'c:d'] }],
    ['once, as a number', { count: '7' }, { count: [7] }],
    ['beside one that is no list', { label: 'a:b', limit: '3' }, { label: ['a:b'], limit: 3 }],
  ])('is a list if it is given %s', (_what, query, read) => {
    expect(validate(query)).toEqual(read);
  });

  it('is validated as a list', () => {
    expect(messageOf(() => validate({ label: 'a' }))).toBe('"label.0" must NOT have fewer than 2 characters.');
    expect(messageOf(() => validate({ label: ['aa', 'bb', 'cc'] }))).toBe('"label" must NOT have more than 2 items.');
    expect(messageOf(() => validate({ limit: ['1', '2'] }))).toBe('"limit" must be integer.');
  });

  it('is not converted to a list in a body', () => {
    const body = compileBodyValidation(Type.Object({ label: Type.Array(Type.String()) }));
    expect(messageOf(() => body({ label: 'a:b' }))).toBe('"label" must be array.');
  });
});
