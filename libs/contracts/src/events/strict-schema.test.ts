import { Type } from '@sinclair/typebox';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { buildStrictSchema } from './strict-schema.ts';

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
const accepts = (schema: object, value: unknown): boolean => ajv.compile(schema)(value) === true;

describe('the producer variant of a schema (EVT-5)', () => {
  it('refuses an unknown key', () => {
    const schema = Type.Object({ name: Type.String() });
    expect(accepts(schema, { name: 'a', other: 1 })).toBe(true);
    expect(accepts(buildStrictSchema(schema), { name: 'a', other: 1 })).toBe(false);
    expect(accepts(buildStrictSchema(schema), { name: 'a' })).toBe(true);
  });

  it.each([
    ['in an object', Type.Object({ inner: Type.Object({ a: Type.Number() }) }), { inner: { a: 1, b: 2 } }],
    [
      'in the entries of an array',
      Type.Object({ list: Type.Array(Type.Object({ a: Type.Number() })) }),
      { list: [{ a: 1, b: 2 }] },
    ],
    [
      'in the branch of a union',
      Type.Object({ rule: Type.Union([Type.Object({ a: Type.Number() }), Type.Null()]) }),
      { rule: { a: 1, b: 2 } },
    ],
    [
      'three levels down',
      Type.Object({ x: Type.Union([Type.Array(Type.Object({ y: Type.Object({ a: Type.Number() }) })), Type.Null()]) }),
      { x: [{ y: { a: 1, b: 2 } }] },
    ],
  ])('refuses an unknown key %s', (_where, schema, value) => {
    expect(accepts(schema, value)).toBe(true);
    expect(accepts(buildStrictSchema(schema), value)).toBe(false);
  });

  it('accepts unknown keys in an object that declares additional properties', () => {
    const schema = Type.Object({ affected: Type.Object({}, { additionalProperties: true }) });
    expect(accepts(buildStrictSchema(schema), { affected: { product: 'router' } })).toBe(true);
    expect(accepts(buildStrictSchema(schema), { affected: {}, other: 1 })).toBe(false);
  });

  it('leaves the published schema extensible (EVT-2)', () => {
    const schema = Type.Object({ inner: Type.Object({ a: Type.Number() }) });
    const before = JSON.stringify(schema);
    buildStrictSchema(schema);
    expect(JSON.stringify(schema)).toBe(before);
  });

  it('retains all other constraints of a schema', () => {
    const strict = buildStrictSchema(
      Type.Object({ name: Type.String({ minLength: 2 }), kind: Type.Union([Type.Literal('a'), Type.Literal('b')]) }),
    );
    expect(accepts(strict, { name: 'ab', kind: 'b' })).toBe(true);
    expect(accepts(strict, { name: 'a', kind: 'b' })).toBe(false);
    expect(accepts(strict, { name: 'ab', kind: 'c' })).toBe(false);
    expect(accepts(strict, { name: 'ab' })).toBe(false);
  });
});
