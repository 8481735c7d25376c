import fc from 'fast-check';
import { findMembers } from './find-members.ts';

const NAMES = new Set(['model', 'stream']);
const find = (text: string) => {
  const bytes = Buffer.from(text);
  return findMembers(bytes, NAMES)?.map(({ name, start, end }) => [name, bytes.subarray(start, end).toString()]);
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
  ])('of %s', (text, members) => expect(find(text)).toEqual(members));

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
  ])('are not there in %j', (text) => expect(find(text)).toBeUndefined());

  it('are found in any object, however it is written', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), fc.nat(3), (rest, model, indent) => {
        const text = JSON.stringify({ ...rest, model }, undefined, indent);
        const [, value] = find(text)?.findLast(([name]) => name === 'model') ?? [];
        expect(JSON.parse(value ?? '')).toEqual(JSON.parse(JSON.stringify(model)));
      }),
    );
  });
});
