import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { EVENT_TYPES, type EventType } from '../events/event-types.ts';
import { EnvelopeSchema } from '../events/envelope.ts';
import { MESSAGES, type MessageName } from '../messages/catalogue.ts';
import { arbitraryOf } from '../testing/arbitrary-of.ts';
import { compileSchema, compileStrictSchema } from './compile-schema.ts';
import { createAjv } from './create-ajv.ts';

type JsonObject = Readonly<Record<string, unknown>>;
const types = Object.keys(EVENT_TYPES) as EventType[];
const messages = Object.keys(MESSAGES) as MessageName[];
const SCHEMAS: [string, object][] = [
  ...types.map((type): [string, object] => [`data of ${type}`, EVENT_TYPES[type].schema]),
  ...messages.map((name): [string, object] => [`message ${name}`, MESSAGES[name].schema]),
  ['the envelope', EnvelopeSchema],
];
const requiredOf = (schema: object): readonly string[] => (schema as { required: readonly string[] }).required;

describe.each(SCHEMAS)('%s', (_name, schema) => {
  const read = compileSchema(schema);
  const write = compileStrictSchema(schema);
  const anyValue = arbitraryOf(schema) as fc.Arbitrary<JsonObject>;

  it('accepts every value that conforms to it, and both validators agree (EVT-5, PROC-10)', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(read(value)).toBeUndefined();
        expect(write(value)).toBeUndefined();
        // The value is checked as it is transferred: as a JSON string.
        expect(read(JSON.parse(JSON.stringify(value)))).toBeUndefined();
      }),
      { numRuns: 30 },
    );
  });

  it('requires each of its required keys (EVT-5, PROC-11)', () => {
    fc.assert(
      fc.property(anyValue, fc.constantFrom(...requiredOf(schema)), (value, missing) => {
        const { [missing]: _gone, ...rest } = value;
        expect(read(rest)).toContain(missing);
        expect(write(rest)).toContain(missing);
      }),
      { numRuns: 30 },
    );
  });

  it('accepts no value of another type for a key (PROC-11)', () => {
    const wrong = fc.constantFrom<unknown>([], [1], { nested: { deep: 1 } }, 1.5, true, null, '\u0000');
    fc.assert(
      fc.property(anyValue, fc.constantFrom(...requiredOf(schema)), wrong, (value, key, put) => {
        const problem = read({ ...value, [key]: put });
        // The writer accepts all data that the schema accepts; an error names the path without the value.
        if (problem === undefined) return;
        expect(problem.startsWith(`/${key}`)).toBe(true);
        expect(write({ ...value, [key]: put })).toBeDefined();
      }),
      { numRuns: 60 },
    );
  });

  it.each([undefined, null, 1, 'text', [], [{}]])('does not accept %j', (value) => {
    expect(read(value)).toBeDefined();
    expect(write(value)).toBeDefined();
  });
});

describe('the error for a value that does not conform', () => {
  const schema = Type.Object({ name: Type.String({ pattern: '^a' }), inner: Type.Object({ count: Type.Integer() }) });

  it('names the position and the rule, never the value (API-15)', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^canary-[a-z]{8}$/), (secret) => {
        for (const find of [compileSchema(schema), compileStrictSchema(schema)]) {
          expect(find({ name: secret, inner: { count: 1 } })).not.toContain(secret);
          expect(find({ name: 'a', inner: { count: secret } })).not.toContain(secret);
          expect(find(secret)).not.toContain(secret);
        }
      }),
    );
    expect(compileSchema(schema)({ name: 'a', inner: { count: 'x' } })).toBe('/inner/count must be integer');
  });

  it('ignores an unknown key when reading, and reports it when writing', () => {
    const grown = { name: 'a', inner: { count: 1, more: 2 } };
    expect(compileSchema(schema)(grown)).toBeUndefined();
    expect(compileStrictSchema(schema)(grown)).toContain('/inner');
  });

  it('does not change the validated value', () => {
    const value = Object.freeze({ name: 'a', inner: Object.freeze({ count: 1 }), more: 1 });
    compileSchema(schema)(value);
    compileStrictSchema(schema)(value);
    expect(value).toEqual({ name: 'a', inner: { count: 1 }, more: 1 });
  });
});

describe('the dialect of schemas', () => {
  it('refuses an unknown keyword, because a typo would otherwise accept every value', () => {
    expect(() => createAjv().compile({ type: 'string', minLenght: 3 })).toThrow('minLenght');
  });

  it('checks formats', () => {
    const accepts = createAjv().compile({ type: 'string', format: 'uuid' });
    expect([accepts('0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b11'), accepts('x')]).toEqual([true, false]);
  });

  it('converts no value, unless its route requests it', () => {
    const schema = { type: 'object', properties: { limit: { type: 'integer' } } };
    const query = { limit: '5' };
    expect(createAjv().compile(schema)(query)).toBe(false);
    expect(query).toEqual({ limit: '5' });
    expect(createAjv({ coerceTypes: true }).compile(schema)(query)).toBe(true);
    expect(query).toEqual({ limit: 5 });
  });
});
