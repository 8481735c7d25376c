import fc from 'fast-check';
import { findMembers, MAX_MEMBERS } from './find-members.ts';

const NAMES = new Set(['model', 'stream']);
const find = (text: string) => {
  const bytes = Buffer.from(text);
  return findMembers(bytes, (name) => NAMES.has(name))?.map(({ name, start, end }) => [
    name,
    bytes.subarray(start, end).toString(),
  ]);
};

describe('members of a body (GW-4)', () => {
  it.each([
    [
      '{"model":"a","stream":true}',
      [
        ['model', '"a"'],
        ['stream', 'true'],
      ],
    ],
    [
      ' {\n "stream" : false , "model" :\t"ž\\"}" } ',
      [
        ['stream', 'false'],
        ['model', '"ž\\"}"'],
      ],
    ],
    ['{"x":{"model":"inner"},"y":[{"model":1},"]}"],"model":"outer"}', [['model', '"outer"']]],
    ['{"\\u006dodel":"escaped"}', [['model', '"escaped"']]],
    [
      '{"model":"a","model":"b"}',
      [
        ['model', '"a"'],
        ['model', '"b"'],
      ],
    ],
    ['{"x":"\\\\","model":9007199254740993}', [['model', '9007199254740993']]],
    ['{}', []],
  ])('are found in %s', (text, members) => expect(find(text)).toEqual(members));

  it.each([
    '',
    '[]',
    '"model"',
    '{',
    '{"model"',
    '{"model":',
    '{"model":}',
    '{"model":"a"',
    '{"model":"a',
    '{"a":[1,{}',
    '{} x',
    '{a:1}',
    '{"a":1,}',
  ])('do not exist in %j', (text) => expect(find(text)).toBeUndefined());

  it('are limited in number and depth: a body that exceeds a limit is refused before it is read completely (LIM-79, LIM-16)', () => {
    const of = (count: number): string => `{${Array.from({ length: count }, (_, index) => `"m${index}":1`).join(',')}}`;
    expect(find(of(MAX_MEMBERS))).toEqual([]);
    expect(() => find(of(MAX_MEMBERS + 1))).toThrow('at most 4096');
    const nested = (depth: number): string => `{"x":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect(find(nested(199))).toEqual([]);
    expect(() => find(nested(200))).toThrow('deeper than 200');
  });

  it('end where their strings end, with any number of escaped quotes', () => {
    const sign = fc.constantFrom('"', '\\', 'a', '{', '}', '\n', 'ž');
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 400 }), (signs) => {
        expect(find(JSON.stringify({ x: signs.join(''), model: 'm' }))).toEqual([['model', '"m"']]);
      }),
    );
  });

  it('have the names that a JSON parser reads', () => {
    const name = fc.oneof(
      fc.string({ maxLength: 20 }),
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.constant('model_1'),
    );
    fc.assert(
      fc.property(fc.array(name), (names) => {
        const bytes = Buffer.from(`{${names.map((one) => `${JSON.stringify(one)}:1`).join(',')}}`);
        expect(findMembers(bytes, () => true)?.map((member) => member.name)).toEqual(names);
      }),
    );
  });

  it('are found in any object, with any formatting', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), fc.nat(3), (rest, model, indent) => {
        const text = JSON.stringify({ ...rest, model }, undefined, indent);
        const [, value] = find(text)?.findLast(([name]) => name === 'model') ?? [];
        expect(JSON.parse(value ?? '')).toEqual(JSON.parse(JSON.stringify(model)));
      }),
    );
  });
});
