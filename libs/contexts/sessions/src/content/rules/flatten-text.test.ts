import fc from 'fast-check';
import { flattenText } from './flatten-text.ts';

describe('the readable text of a stored value', () => {
  it.each<[string, unknown, string]>([
    ['plain text as it is', 'two\nlines', 'two\nlines'],
    ['nothing', null, ''],
    ['the words of an OpenAI request without its markers', { messages: [{ role: 'user', content: 'hi' }] }, 'hi'],
    [
      'the words of an OpenAI response, its other fields after them',
      { id: 'x1', choices: [{ index: 0, message: { role: 'assistant', content: 'hello' } }] },
      'hello\nid: x1',
    ],
    [
      'the parts of an Anthropic message',
      {
        system: 'be kind',
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'a' },
              { type: 'text', text: 'b' },
            ],
          },
        ],
      },
      'be kind\na\nb',
    ],
    ['a list of plain texts', ['one', 'two'], 'one\ntwo'],
    [
      'fields of any other shape by name',
      { command: 'ls -la', timeout: 30, dry: false, env: null },
      'command: ls -la\ntimeout: 30\ndry: false',
    ],
    ['a value that is no marker although it stands in a marker field', { type: 'zebra', text: 'a' }, 'a\ntype: zebra'],
    [
      'the arguments a provider wraps as JSON in a string',
      { tool_calls: [{ function: { name: 'run', arguments: '{"script":"first\\nsecond"}' } }] },
      'name: run\nscript: first\nsecond',
    ],
    ['arguments that only look like JSON', { arguments: '{broken' }, 'arguments: {broken'],
    ['an own field called __proto__', JSON.parse('{"__proto__":"kept"}'), '__proto__: kept'],
  ])('keeps %s', (_case, value, expected) => {
    expect(flattenText(value)).toBe(expected);
  });

  it('quotes the value of a credential, so that it is masked completely and not read as prose', () => {
    const lines = flattenText({ db_password: 'correct horse', user: 'dana', nested: [{ clientSecret: 'a"b' }] });
    expect(lines).toBe('db_password: "correct horse"\nuser: dana\nclientSecret: "a\\"b"');
  });

  it('names attachments instead of indexing their base64', () => {
    const blob = 'QUJD'.repeat(200);
    expect(
      flattenText({ content: [{ type: 'image', source: { data: blob, media_type: 'image/png' } }] }),
    ).not.toContain(blob);
    expect(
      flattenText({ content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${blob}` } }] }),
    ).toContain('image/png');
  });

  it('retains a long word written by a person', () => {
    expect(flattenText({ messages: [{ role: 'user', content: 'a'.repeat(5000) }] })).toBe('a'.repeat(5000));
  });

  it('loses no text in any field, regardless of the structure', () => {
    const word = fc.stringMatching(/^[a-z]{9,12}$/);
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        word,
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('messages', 'content', 'text', 'foo', 'input', 'data', 'name'), tie('tree'), {
          maxKeys: 3,
        }),
      ),
    }));
    const collectWords = (value: unknown): string[] => {
      if (typeof value === 'string') return [value];
      return value === null || typeof value !== 'object' ? [] : Object.values(value).flatMap(collectWords);
    };
    fc.assert(
      fc.property(tree, (value) => {
        const text = flattenText(value);
        for (const expected of collectWords(value)) expect(text).toContain(expected);
      }),
    );
  });
});
