import { readLines } from './testing/read-parts.ts';

describe('the function calls of the older format', () => {
  it('have separate ids, each with its result, even if a function is called repeatedly', () => {
    const ask = (of: string) => ({ role: 'assistant', function_call: { name: 'count', arguments: `{"of":"${of}"}` } });
    const answer = (content: string) => ({ role: 'function', name: 'count', content });
    const entries = readLines([ask('a'), answer('1'), ask('b'), answer('2')]);
    expect(entries).toMatchObject([
      { toolName: 'count', arguments: { of: 'a' }, result: '1' },
      { toolName: 'count', arguments: { of: 'b' }, result: '2' },
    ]);
    expect(new Set(entries.map(({ externalId }) => externalId)).size).toBe(2);
  });
});

describe('content that only the provider can read', () => {
  it('is dropped, and an image is replaced by a placeholder', () => {
    const image = 'iVBORw0KGgo='.repeat(40);
    const entries = readLines([
      {
        type: 'user',
        uuid: 'u1',
        sessionId: 's',
        message: {
          role: 'user',
          content: [
            { type: 'text', text: 'See' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: image } },
            { type: 'redacted_thinking', data: 'EmwKAhgBEgy' },
          ],
        },
      },
      {
        type: 'assistant',
        uuid: 'u2',
        sessionId: 's',
        message: { content: [{ type: 'thinking', thinking: '', signature: 'Eq' }] },
      },
    ]);
    expect(entries).toHaveLength(1);
    expect(JSON.stringify(entries)).not.toMatch(/iVBOR|EmwK/);
    expect(JSON.stringify(entries)).toContain('[image/png, 360 bytes]');
  });
});

describe('a result that is JSON in a string', () => {
  it('is parsed, so that its words are separate and credentials in it are found', () => {
    const twice = JSON.stringify(JSON.stringify({ stdout: 'one\npassword: hunter2' }));
    const entries = readLines([
      { role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'sh', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: 'c', content: twice },
    ]);
    expect(entries).toMatchObject([{ result: { stdout: 'one\npassword: hunter2' } }]);
  });

  it('remains a string if its JSON is nested too deeply', () => {
    const content = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const [entry] = readLines([{ role: 'tool', tool_call_id: 'c', content }]);
    expect(entry).toMatchObject({ content });
  });

  it('remains a string if it has very many values, because the parsed value would be many times as expensive', () => {
    const content = `[${'1,'.repeat(210_000)}1]`;
    const [entry] = readLines([{ role: 'tool', tool_call_id: 'c', content }]);
    expect(typeof (entry as { content?: unknown }).content).toBe('string');
  });

  it('is stored as a message if its call is missing', () => {
    const entries = readLines([{ role: 'tool', tool_call_id: 'c', content: 'late words' }]);
    expect(entries).toMatchObject([{ kind: 'message', role: 'tool', content: 'late words', externalId: 'c:result' }]);
  });
});
