import fc from 'fast-check';
import { flowTriggerSettings } from '../config.ts';
import { readChatAnswer } from './chat.ts';
import { findModel } from './find-model.ts';

describe('the model used by a flow (EXEC-23)', () => {
  it.each([
    ['fast', 'http://gateway:8000', 'fast', 'http://gateway:8000/openai/v1'],
    [null, 'http://gateway:8000/', 'default', 'http://gateway:8000/openai/v1'],
  ])('%s with the gateway address %s is called as %s below %s', (named, apiUrl, alias, baseUrl) => {
    expect(findModel(apiUrl, named, 'a-token')).toEqual({ alias, baseUrl, apiKey: 'a-token' });
  });

  it('cannot be called if the gateway address is not set', () => {
    expect(() => findModel(undefined, 'fast', 'a-token')).toThrow('FLOW_AGENT_API_URL');
  });

  it('is never configured in the worker: the removed setting is refused at startup', () => {
    const read = (value: string) => () => flowTriggerSettings.removedModels.parse(value);
    expect(read('{"own":{"base_url":"https://x.test","api_key":"hush-hush"}}')).toThrow('the AI models of the account');
    expect(read('{"own":{"base_url":"https://x.test","api_key":"hush-hush"}}')).not.toThrow('hush-hush');
    expect(read('{}')).not.toThrow();
  });
});

describe('the response of a provider', () => {
  it('is accepted or refused in any shape, without a crash', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        readChatAnswer(body);
        readChatAnswer({ choices: [{ message: body, finish_reason: body }], usage: body });
        readChatAnswer({ choices: [{ message: { content: null, tool_calls: [body, { id: 'x', function: body }] } }] });
      }),
    );
  });

  it('can contain tool arguments as an object', () => {
    const message = { content: null, tool_calls: [{ id: 'x', function: { name: 'f', arguments: { a: 1 } } }] };
    expect(readChatAnswer({ choices: [{ message }] })?.toolCalls[0]?.function.arguments).toBe('{"a":1}');
  });
});
