import fc from 'fast-check';
import { readChatAnswer } from './chat.ts';
import { readModelDirectory } from './model-directory.ts';

describe('the models of a deployment', () => {
  it('are named by their alias unless they say otherwise', () => {
    const models = readModelDirectory(
      '{"a":{"base_url":"https://x.test/v1/"},"b":{"base_url":"http://y","model":"m","api_key":"k","provider":"p"}}',
    );
    expect([...models.values()]).toEqual([
      {
        alias: 'a',
        baseUrl: 'https://x.test/v1',
        apiKey: undefined,
        model: 'a',
        provider: 'x.test',
        isRecorded: false,
      },
      { alias: 'b', baseUrl: 'http://y', apiKey: 'k', model: 'm', provider: 'p', isRecorded: false },
    ]);
  });

  it.each([
    ['{', 'not valid JSON'],
    ['[]', 'must be a JSON object'],
    ['{"a":1}', 'the entry "a" must be an object'],
    ['{"a":{}}', '"base_url"'],
    ['{"a":{"base_url":"ftp://x"}}', '"base_url"'],
    ['{"a":{"base_url":"https://x","key":"hush-hush"}}', 'unknown key "key"'],
    ['{"a":{"base_url":"https://x","api_key":"line\\nbreak"}}', '"api_key"'],
    ['{"a":{"base_url":"https://x","model":""}}', '"model"'],
  ])('%s is refused by name and without its values', (text, problem) => {
    expect(() => readModelDirectory(text)).toThrow(problem);
    expect(() => readModelDirectory(text)).not.toThrow('hush-hush');
  });
});

describe('an answer of a provider', () => {
  it('of any shape is read or refused, never a crash', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        readChatAnswer(body);
        readChatAnswer({ choices: [{ message: body, finish_reason: body }], usage: body });
        readChatAnswer({ choices: [{ message: { content: null, tool_calls: [body, { id: 'x', function: body }] } }] });
      }),
    );
  });

  it('may carry its arguments as an object', () => {
    const message = { content: null, tool_calls: [{ id: 'x', function: { name: 'f', arguments: { a: 1 } } }] };
    expect(readChatAnswer({ choices: [{ message }] })?.toolCalls[0]?.function.arguments).toBe('{"a":1}');
  });
});
