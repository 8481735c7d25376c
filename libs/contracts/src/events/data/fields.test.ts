import { Type, type TSchema } from '@sinclair/typebox';
import { createAjv } from '../../compile/create-ajv.ts';
import { EVENT_TYPES, type EventType } from '../event-types.ts';
import { amount, choice, flag, integer, literal, nullable, text, timestamp, uuid } from './fields.ts';

const ID = '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b11';
const accepts = (schema: TSchema, value: unknown): boolean => createAjv().validate(schema, value);
const KINDS: readonly [string, TSchema, readonly unknown[], readonly unknown[]][] = [
  ['an id', uuid('x'), [ID], ['', 'session 7', `${ID} `, 7, null]],
  ['a text', text('x'), ['', 'words', '\u202e'], [7, true, null, ['words']]],
  [
    'a time',
    timestamp('x'),
    ['2026-11-20T09:00:00Z', '2026-11-20T09:00:00.123Z'],
    ['2026-11-20T09:00:00z', '2026-11-20T09:00:00+00:00', '2026-11-20T09:00:00', '2026-02-30T09:00:00Z', 'Z', 1, null],
  ],
  ['a whole number', integer('x'), [0, -1, 2 ** 40], [0.5, '1', null, true]],
  ['an amount', amount('x'), [0, 40.12, 0.000001], ['40.12', null, true]],
  ['a flag', flag('x'), [true, false], [0, 1, 'true', null]],
  ['one word', literal('deny', 'x'), ['deny'], ['allow', 'Deny', 'deny ', null]],
  ['one truth', literal(true, 'x'), [true], [false, 'true', 1]],
  ['a choice', choice(['new', 'ignored'], 'x'), ['new', 'ignored'], ['New', 'seen', '', null, ['new']]],
];

describe.each(KINDS)('%s in the data of an event (EVT-5)', (_kind, schema, right, wrong) => {
  it('accepts only its intended form', () => {
    expect(right.filter((value) => !accepts(schema, value))).toEqual([]);
    expect(wrong.filter((value) => accepts(schema, value))).toEqual([]);
  });

  it('can be null only if it is declared nullable', () => {
    const open = nullable(schema);
    expect([null, ...right].filter((value) => !accepts(open, value))).toEqual([]);
    expect(wrong.filter((value) => value !== null && accepts(open, value))).toEqual([]);
    expect(accepts(open, undefined as never)).toBe(false);
  });

  it('has a published description, even if it is nullable', () => {
    expect([schema.description, nullable(schema).description]).toEqual(['x', 'x']);
  });
});

it('a nullable field is always present, because an omitted field has another meaning (EVT-5)', () => {
  const schema = Type.Object({ comment: nullable(text('x')) });
  expect(accepts(schema, { comment: null })).toBe(true);
  expect(accepts(schema, {})).toBe(false);
});

describe('the fields of every event', () => {
  const fields = (Object.keys(EVENT_TYPES) as EventType[]).flatMap((type) =>
    Object.entries(EVENT_TYPES[type].schema.properties as Readonly<Record<string, TSchema>>).map(
      ([name, schema]): [string, string, TSchema] => [type, name, schema],
    ),
  );
  const ofName = (name: RegExp) => fields.filter(([, key]) => name.test(key));

  it.each(ofName(/_at$/))('%s.%s is a time in UTC (API-6)', (_type, _name, schema) => {
    expect(accepts(schema, '2026-11-20T09:00:00.000Z')).toBe(true);
    expect(accepts(schema, '2026-11-20T09:00:00+01:00')).toBe(false);
  });

  it.each(
    ofName(/_count$|_seconds$|_amount$|_percent$|^percent_|_version$/).filter(([, key]) => key !== 'agent_version'),
  )('%s.%s is a number, never a string', (_type, _name, schema) => {
    expect(accepts(schema, 3)).toBe(true);
    expect(accepts(schema, '3')).toBe(false);
  });
});
