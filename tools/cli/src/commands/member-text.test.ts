import fc from 'fast-check';
import { findMemberText } from './member-text.ts';

describe('the source text of a JSON member', () => {
  it.each([
    ['{"tool_input":{"id":1917043659912705297}}', '{"id":1917043659912705297}'],
    ['{"a":{"tool_input":1},"tool_input" : [1e400, -0] }', '[1e400, -0]'],
    ['{"x":"}\\",\\"tool_input\\":9","tool_input":1.0}', '1.0'],
    ['{"tool_input":1,"tool_input":2}', '2'],
    ['{"tool\\u005finput":{"a":"\\\\"}}', '{"a":"\\\\"}'],
    ['{"tool_input":"a,b}"}', '"a,b}"'],
    ['{}', undefined],
    ['{"other":{"tool_input":1}}', undefined],
  ])('in %s is %s', (json, text) => {
    expect(findMemberText(json, 'tool_input')).toBe(text);
  });

  it('has the same value as the parsed member', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), fc.string(), (others, value, name) => {
        for (const indent of [0, 2]) {
          const json = JSON.stringify({ ...others, [name]: value }, undefined, indent);
          const { [name]: expected } = JSON.parse(json) as Record<string, unknown>;
          expect(JSON.parse(findMemberText(json, name) ?? 'null')).toEqual(expected ?? null);
        }
      }),
    );
  });
});
