import { createSeededRandom } from '@steward/testing';

/** A seeded source of malicious input: the same seed produces the same requests. */
export interface FuzzInputs {
  readonly seed: number;
  integer(below: number): number;
  pick<T>(choices: readonly T[]): T;
  /**
   * Returns a value that may or may not match the schema: wrong types, huge numbers, prototype keys, NUL, deep nesting.
   */
  value(schema: unknown): unknown;
  /** Returns a body as bytes, with the media type that its request declares. */
  body(schema: unknown): { readonly bytes: Buffer; readonly type: string };
  /** Returns percent-encoded invalid data for one path segment. */
  segment(): string;
  queryString(names: readonly string[]): string;
}

const STRINGS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfff',
  '🙂'.repeat(40),
  'שלום עולם',
  '%00',
  '../../etc/passwd',
  "'; drop table x; --",
  '"unbalanced',
  '{{trigger_event.payload}}',
  '<script>',
  'a'.repeat(5000),
  '2026-02-30T25:61:61Z',
  '9999-12-31T23:59:60Z',
  '0000-01-01T00:00:00Z',
  '00000000-0000-0000-0000-000000000000',
  'http://[::1',
  'http://user:pw@host/#f',
  '\\',
  ':*',
  '1e999',
  'NaN',
];
const NUMBERS = [0, -0, -1, 1.5, 1e308, -1e308, 2 ** 31, 2 ** 53, 2 ** 63, Number.MIN_VALUE];
/** Strings that JSON.stringify never writes, but a handwritten client might send. */
const RAW_JSON = [
  '1e999',
  '{"a":1e999}',
  '[1,]',
  '{"a":1,"a":2}',
  '{"__proto__":{"x":1}}',
  '{"constructor":{"prototype":{}}}',
  'null',
  'true',
  '"text"',
  '[]',
  '{}',
  '{',
  '\uFEFF{}',
  '{"a":"\\ud800"}',
  '{"a":"\\u0000"}',
  '123456789012345678901234567890',
];
const TYPES = [
  'application/json',
  'application/json; charset=utf-16',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  '',
  'application/json;;;',
];

export function createFuzzInputs(seed: number): FuzzInputs {
  const random = createSeededRandom(seed);
  const integer = (below: number): number => Math.floor(random() * below);
  const pick = <T>(choices: readonly T[]): T => choices[integer(choices.length)] as T;
  const bytes = (length: number): Buffer => Buffer.from(Array.from({ length }, () => integer(256)));

  function wrong(depth: number): unknown {
    switch (integer(7)) {
      case 0:
        return pick(STRINGS);
      case 1:
        return pick(NUMBERS);
      case 2:
        return null;
      case 3:
        return random() < 0.5;
      case 4:
        return depth > 3 ? [] : Array.from({ length: integer(4) }, () => wrong(depth + 1));
      case 5:
        return nest(pick([3, 60, 199, 201, 300]));
      default:
        return JSON.parse(
          pick(['{"__proto__":{"admin":true}}', '{"constructor":1}', '{"":0}', '{"a":{"b":{}}}']),
        ) as unknown;
    }
  }
  function nest(depth: number): unknown {
    let value: unknown = 1;
    for (let level = 0; level < depth; level += 1) value = random() < 0.5 ? [value] : { n: value };
    return value;
  }
  function value(schema: unknown, depth = 0): unknown {
    const { type, properties, items, anyOf, enum: choices, const: only } = (schema ?? {}) as Record<string, unknown>;
    if (random() < 0.25) return wrong(depth);
    if (only !== undefined) return only;
    if (Array.isArray(choices)) return pick(choices);
    if (Array.isArray(anyOf)) return value(pick(anyOf as unknown[]), depth + 1);
    if (type === 'object' && properties !== undefined) {
      const entries = Object.entries(properties as Record<string, unknown>).filter(() => random() < 0.8);
      const extra = random() < 0.1 ? [[pick(STRINGS), wrong(depth + 1)] as const] : [];
      return Object.fromEntries([
        ...entries.map(([name, inner]) => [name, value(inner, depth + 1)] as const),
        ...extra,
      ]);
    }
    if (type === 'array') return Array.from({ length: integer(4) }, () => value(items, depth + 1));
    if (type === 'string') return pick([...STRINGS, 'plain', 'https://example.test/x', '2026-11-20T10:00:00Z']);
    if (type === 'integer' || type === 'number') return pick([...NUMBERS, 1, 20]);
    if (type === 'boolean') return random() < 0.5;
    return wrong(depth);
  }

  return {
    seed,
    integer,
    pick,
    value,
    body(schema) {
      const type = random() < 0.85 ? 'application/json' : pick(TYPES);
      const kind = random();
      if (kind < 0.12) return { bytes: bytes(integer(200)), type };
      if (kind < 0.27) return { bytes: Buffer.from(pick(RAW_JSON)), type };
      if (kind < 0.3) return { bytes: Buffer.from('['.repeat(20_000)), type };
      return { bytes: Buffer.from(JSON.stringify(value(schema)) ?? 'null'), type };
    },
    segment: () =>
      pick([
        () => encodeURIComponent(pick(STRINGS).toWellFormed()),
        () => pick(['%00', '%2F', '%zz', '%C3%28', '%F0%9F%99%82', '..', '.', "'", 'null', '0']),
        () => 'x'.repeat(integer(3000)),
        () => '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b11',
      ])(),
    queryString(names) {
      const parts = Array.from({ length: integer(4) }, () => {
        const name =
          random() < 0.7 && names.length > 0 ? pick(names) : encodeURIComponent(pick(STRINGS).toWellFormed());
        return `${name}=${encodeURIComponent(String(pick([...STRINGS, ...NUMBERS])).toWellFormed())}`;
      });
      return parts.length === 0 ? '' : `?${parts.join('&')}`;
    },
  };
}
