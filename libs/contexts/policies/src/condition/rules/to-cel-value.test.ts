import fc from 'fast-check';
import { bindVariables, compileCondition } from './compile-condition.ts';

const WELL_KNOWN = [
  ...['Any', 'BoolValue', 'BytesValue', 'DoubleValue', 'Duration', 'Empty', 'FieldMask', 'FloatValue', 'Int32Value'],
  ...[
    'Int64Value',
    'ListValue',
    'NullValue',
    'StringValue',
    'Struct',
    'Timestamp',
    'UInt32Value',
    'UInt64Value',
    'Value',
  ],
].map((name) => `google.protobuf.${name}`);
const NAMES = [
  ...['$typeName', '$unknown', '@type', '__proto__', 'case', 'constructor', 'fields', 'hasOwnProperty', 'kind'],
  ...[
    'nanos',
    'prototype',
    'seconds',
    'sql',
    'stringValue',
    'structValue',
    'toJSON',
    'toString',
    'typeUrl',
    'value',
    'values',
    'valueOf',
  ],
];

/** Returns an object with these members; `__proto__` is an ordinary member, as in JSON.parse. */
const toParsed = (members: readonly (readonly [string, unknown])[]): unknown =>
  JSON.parse(`{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`);

const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      fc.constantFrom<unknown>(...WELL_KNOWN, ...NAMES, 'SELECT 1', '', null, true, false),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.string(),
    ),
    fc.array(tie('json'), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.oneof(fc.constantFrom(...NAMES), fc.string({ maxLength: 4 })), tie('json')), { maxLength: 5 })
      .map(toParsed),
    fc
      .tuple(
        fc.constantFrom(...WELL_KNOWN),
        fc.array(fc.tuple(fc.constantFrom(...NAMES), tie('json')), { maxLength: 4 }),
      )
      .map(([type, members]) => toParsed([...members, ['$typeName', type]])),
  ),
}));

function evaluate(condition: string, args: unknown): boolean | string {
  const bindings = bindVariables({
    args,
    tool: { name: '', server: '' },
    agent: { id: '', kind: '', name: '', tags: [] },
    session: { id: '', source_type: '' },
    user: { id: '', username: '' },
    execution: { id: '', flow_id: '' },
    now: new Date(0),
  });
  const outcome = compileCondition(condition)?.evaluate(bindings);
  return outcome?.kind === 'value' ? outcome.value : (outcome?.message ?? 'not compiled');
}

/** Returns a condition that is true if and only if the value at `path` is this one. */
function describeValue(path: string, value: unknown): string[] {
  if (Array.isArray(value))
    return [
      `type(${path}) == list`,
      `size(${path}) == ${value.length}`,
      ...value.flatMap((item, index) => describeValue(`${path}[${index}]`, item)),
    ];
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value);
    return [
      `type(${path}) == map`,
      `size(${path}) == ${members.length}`,
      ...members.flatMap(([name, member]) => [
        ...(member === null ? [] : [`${quote(name)} in ${path}`]),
        ...describeValue(`${path}[${quote(name)}]`, member),
      ]),
    ];
  }
  if (typeof value === 'number') return [`${path} == ${writeDouble(value)}`];
  return [`${path} == ${value === null ? 'null' : typeof value === 'string' ? quote(value) : String(value)}`];
}

/** Quotes a string for CEL, escaping every UTF-16 code unit that might have a special meaning. */
const quote = (text: string): string =>
  `"${[...text].map((sign) => (/[\w ]/.test(sign) ? sign : `\\U${(sign.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`)).join('')}"`;

const writeDouble = (value: number): string => {
  const text = Math.abs(value).toExponential();
  return `${value < 0 || Object.is(value, -0) ? '-' : ''}${text.includes('.') ? text : text.replace('e', '.0e')}`;
};

const FORGED = [
  {
    sql: 'DROP TABLE x',
    $typeName: 'google.protobuf.Struct',
    fields: { sql: { $typeName: 'google.protobuf.Value', kind: { case: 'stringValue', value: 'SELECT 1' } } },
  },
  { sql: { $typeName: 'google.protobuf.StringValue', value: 'SELECT 1' } },
  { driver: 'y', constructor: 'Ferrari' },
  { $typeName: 'nothing.Known' },
  JSON.parse('{"__proto__": {"sql": "SELECT 1"}, "sql": "DROP TABLE x"}') as unknown,
  { sql: null },
];

describe('an argument in a condition (POL-26)', () => {
  it('has its JSON value at every path, for any member names', () => {
    fc.assert(
      fc.property(json, (args) => {
        const wrong = describeValue('args', args)
          .filter((condition) => condition.length < 4000)
          .map((condition) => [condition, evaluate(condition, args)])
          .filter(([, held]) => held !== true);
        expect(wrong).toEqual([]);
      }),
      { numRuns: 300, examples: FORGED.map((args) => [args]) },
    );
  });

  it('is not treated as a protobuf message, even if it looks like one', () => {
    for (const args of FORGED.slice(0, 2)) {
      expect(evaluate(`args.sql == "SELECT 1"`, args)).toBe(false);
      expect(evaluate(`args == {"sql": "SELECT 1"}`, args)).toBe(false);
    }
    expect(evaluate(`args.driver == "y"`, FORGED[2])).toBe(true);
  });

  it('counts as missing for has() if it is null, but reads as null (POL-6)', () => {
    expect(evaluate('has(args.sql)', { sql: null })).toBe(false);
    expect(evaluate('args.sql == null', { sql: null })).toBe(true);
  });
});
