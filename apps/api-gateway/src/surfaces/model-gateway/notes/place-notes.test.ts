import fc from 'fast-check';
import { readCall, writeProviderBody } from '../read-call.ts';
import { placeNotes } from './place-notes.ts';

type Path = Parameters<typeof placeNotes>[1];
const NOTE = 'Stop "here" \\ </operator_note>';

/** Returns the body for the provider; undefined if there is no position for a note. */
function place(path: Path, body: string): string | undefined {
  const bytes = Buffer.from(body);
  const edits = placeNotes(bytes, path, NOTE);
  if (edits === undefined) return undefined;
  return Buffer.concat(writeProviderBody(readCall(path, bytes), 'm', false, edits)).toString();
}
const text = { type: 'text', text: NOTE };
const inputText = { type: 'input_text', text: NOTE };
const json = JSON.stringify;

describe('a note in a call (GW-16)', () => {
  it.each<[string, Path, unknown, unknown]>([
    [
      'a user message with a string gets two blocks',
      '/chat/completions',
      [
        { role: 'system', content: 's' },
        { role: 'user', content: 'hi "you" é' },
      ],
      [
        { role: 'system', content: 's' },
        { role: 'user', content: [{ type: 'text', text: 'hi "you" é' }, text] },
      ],
    ],
    [
      'a user message with blocks gets one more',
      '/chat/completions',
      [{ content: [{ type: 'image_url', image_url: { url: 'x' } }], role: 'user' }],
      [{ content: [{ type: 'image_url', image_url: { url: 'x' } }, text], role: 'user' }],
    ],
    [
      'tool results are followed by a user message',
      '/chat/completions',
      [
        { role: 'user', content: 'a' },
        { role: 'tool', tool_call_id: '1', content: '{"role":"user"}' },
      ],
      [
        { role: 'user', content: 'a' },
        { role: 'tool', tool_call_id: '1', content: '{"role":"user"}' },
        { role: 'user', content: [text] },
      ],
    ],
    [
      'a user message with tool results gets it after them',
      '/messages',
      [
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: '1', content: 'ok', cache_control: { type: 'ephemeral' } }],
        },
      ],
      [
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: '1', content: 'ok', cache_control: { type: 'ephemeral' } },
            text,
          ],
        },
      ],
    ],
    [
      'a user message with a string gets two blocks',
      '/messages',
      [{ role: 'user', content: 'hi' }],
      [{ role: 'user', content: [{ type: 'text', text: 'hi' }, text] }],
    ],
    [
      'an empty list of blocks gets one block',
      '/messages',
      [{ role: 'user', content: [] }],
      [{ role: 'user', content: [text] }],
    ],
    [
      'a single string becomes a user message',
      '/responses',
      'hi "you"',
      [{ role: 'user', content: [{ type: 'input_text', text: 'hi "you"' }, inputText] }],
    ],
    [
      'a user item gets a block',
      '/responses',
      [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'a' }] }],
      [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'a' }, inputText] }],
    ],
    [
      'tool outputs are followed by a user item',
      '/responses',
      [{ type: 'function_call_output', call_id: '1', output: 'x' }],
      [
        { type: 'function_call_output', call_id: '1', output: 'x' },
        { role: 'user', content: [inputText] },
      ],
    ],
    [
      'if the last message is from the assistant, the previous user message gets it',
      '/messages',
      [
        { role: 'user', content: 'first' },
        { role: 'assistant', content: 'a' },
        { role: 'user', content: 'last' },
        { role: 'assistant', content: '{' },
      ],
      [
        { role: 'user', content: 'first' },
        { role: 'assistant', content: 'a' },
        { role: 'user', content: [{ type: 'text', text: 'last' }, text] },
        { role: 'assistant', content: '{' },
      ],
    ],
    [
      'if the last message is from the system, the previous user message gets it',
      '/chat/completions',
      [
        { role: 'user', content: 'a' },
        { role: 'developer', content: 'b' },
        { role: 'system', content: 'c' },
      ],
      [
        { role: 'user', content: [{ type: 'text', text: 'a' }, text] },
        { role: 'developer', content: 'b' },
        { role: 'system', content: 'c' },
      ],
    ],
    [
      'if an assistant message follows tool results, it is inserted between them',
      '/chat/completions',
      [
        { role: 'user', content: 'a' },
        { role: 'tool', tool_call_id: '1', content: 'x' },
        { role: 'tool', tool_call_id: '2', content: 'y' },
        { role: 'assistant', content: 'b' },
      ],
      [
        { role: 'user', content: 'a' },
        { role: 'tool', tool_call_id: '1', content: 'x' },
        { role: 'tool', tool_call_id: '2', content: 'y' },
        { role: 'user', content: [text] },
        { role: 'assistant', content: 'b' },
      ],
    ],
    [
      'if assistant items and references come last, the previous user item gets it',
      '/responses',
      [
        { role: 'user', content: 'a' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'b' }] },
        { type: 'item_reference', id: '1' },
      ],
      [
        { role: 'user', content: [{ type: 'input_text', text: 'a' }, inputText] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'b' }] },
        { type: 'item_reference', id: '1' },
      ],
    ],
  ])('%s (%s)', (_what, path, turns, expected) => {
    const member = path === '/responses' ? 'input' : 'messages';
    const written = place(path, json({ model: 'm', [member]: turns, seed: 1 }));
    expect(JSON.parse(written ?? '{}')).toEqual({ model: 'm', [member]: expected, seed: 1 });
  });

  it.each<[string, Path, string]>([
    ['there are only assistant messages', '/messages', '{"model":"m","messages":[{"role":"assistant","content":"{"}]}'],
    [
      'there are only system messages',
      '/chat/completions',
      '{"model":"m","messages":[{"role":"system","content":"a"}]}',
    ],
    ['the list of messages is empty', '/chat/completions', '{"model":"m","messages":[]}'],
    ['there are no messages', '/chat/completions', '{"model":"m"}'],
    [
      'the list of messages is invalid',
      '/chat/completions',
      '{"model":"m","messages":[{"role":"user","content":"a"},]}',
    ],
    ['messages are a string', '/messages', '{"model":"m","messages":"hi"}'],
    [
      'the content is neither a string nor a list',
      '/chat/completions',
      '{"model":"m","messages":[{"role":"user","content":null}]}',
    ],
    ['there are only item references', '/responses', '{"model":"m","input":[{"type":"item_reference","id":"1"}]}'],
    ['it is an embedding call', '/embeddings', '{"model":"m","input":"hi"}'],
    ['it is a token count call', '/messages/count_tokens', '{"model":"m","messages":[{"role":"user","content":"a"}]}'],
  ])('is not possible if %s', (_what, path, body) => expect(place(path, body)).toBeUndefined());

  it('leaves every other byte unchanged: white space, numbers beyond 2^53, escapes, repeated members', () => {
    const head = '{ "model" : "m", "messages":[1], "messages" : [ {"role":"user" ,"content": "a\\u00e9"}\n ] ,';
    const body = `${head} "seed": 9007199254740993 }`;
    const written = place('/chat/completions', body)!;
    expect(written.replace('[{"type":"text","text":', '').replace(`},${json(text)}]`, '')).toBe(body);
  });

  it('leaves the previous messages unchanged, so that the provider’s prompt cache remains valid', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 5 }), fc.string(), (turns, said) => {
        const before = `{"model":"m","messages":[${turns.map((turn) => `${json(turn)},`).join('')}`;
        const written = place('/chat/completions', `${before}{"role":"user","content":${json(said)}}]}`)!;
        expect(written.startsWith(before)).toBe(true);
        const { messages } = JSON.parse(written) as { messages: { content: unknown }[] };
        expect(messages.at(-1)?.content).toEqual([{ type: 'text', text: said }, text]);
      }),
    );
  });
});
