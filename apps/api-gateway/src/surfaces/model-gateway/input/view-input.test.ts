import type { CallPath } from '@steward/model-calls';
import { readCall } from '../read-call.ts';

const IMAGE = 'data:image/png;base64,iVBORw0KGgo=';

function findReference(path: CallPath, fields: object): string | undefined {
  return readCall(path, Buffer.from(JSON.stringify({ model: 'm', ...fields }))).reference;
}
const say = (...content: unknown[]) => ({ messages: [{ role: 'user', content }] });
const put = (...input: unknown[]) => ({ input });

it('a reference is found after any amount of white space', () => {
  const fields = `"web_search_options": {${' '.repeat(100)}"search_context_size": "high"}, "plugins": [${' '.repeat(100)}{"id": "web"}]`;
  const read = (text: string) => readCall('/chat/completions', Buffer.from(`{"model":"m",${text}}`)).reference;
  expect(read(fields)).toBe('web_search_options');
  expect(read(fields.replace('web_search_options', 'response_format'))).toBe('plugins');
  expect(read(`"plugins": [${' '.repeat(100)}]`)).toBeUndefined();
});

it('content beyond the scan limit counts as a reference, without delaying other calls', () => {
  const wide = `{${Array.from({ length: 4000 }, (_, index) => `"k${index}":1`).join()}}`;
  const parts = Array<string>(30_000).fill('{"type":"text","text":"","cache_control":null}').join();
  for (const entry of [Array<string>(60).fill(wide).join(), `{"content":[${parts}]}`]) {
    const body = Buffer.from(`{"model":"m","messages":[${entry}]}`);
    expect(readCall('/messages', body).reference).toBe('messages: too much content to examine');
  }
});

it('an unreadable name counts as a reference', () => {
  const read = (text: string) => readCall('/responses', Buffer.from(`{"model":"m",${text}}`)).reference;
  expect(read('"\\x70revious_response_id":"r"')).toBeDefined();
  expect(read(`"${'a'.repeat(300)}":"r"`)).toBeDefined();
  expect(read('"input":[{"role":"user","content":"x","\\x70":"r"}]')).toBeDefined();
});

it('nested content is read once, and no deeper than the limit', () => {
  const list = `[${Array<string>(1_000_000).fill('1').join()}]`;
  const nested = '{"content":'.repeat(150) + list + '}'.repeat(150);
  const body = Buffer.from(`{"model":"m","messages":[${nested}]}`);
  expect(readCall('/messages', body).reference).toBe('messages: too much content to examine');
});

it('a part with a repeated key counts as a reference', () => {
  const part = '{"type":"document","source":{"type":"text"},"source":{"type":"url","url":"https://a.example"}}';
  const body = Buffer.from(`{"model":"m","messages":[{"role":"user","content":[${part}]}]}`);
  expect(readCall('/messages', body).reference).toBe('messages: source');
});

describe('a reference in a body to external content (GW-11)', () => {
  it.each<[CallPath, object]>([
    ['/responses', { previous_response_id: 'resp_1' }],
    ['/responses', { conversation: 'conv_1' }],
    ['/responses', { conversation: { id: 'conv_1' } }],
    ['/responses', { prompt: { id: 'pmpt_1' } }],
    ['/responses', put({ type: 'item_reference', id: 'msg_1' })],
    ['/responses', put({ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: null })],
    ['/responses', put({ role: 'user', content: [{ type: 'input_file', file_url: 'https://a.example/x.pdf' }] })],
    [
      '/responses',
      put({ role: 'user', content: [{ type: 'input_file', file_data: 'data:application/zip;base64,JVBE' }] }),
    ],
    ['/responses', put({ role: 'user', content: [{ type: 'input_image', image_url: 'https://a.example/x.png' }] })],
    ['/responses', put({ role: 'user', content: [{ type: 'input_image', file_id: 'file_1' }] })],
    [
      '/responses',
      put({ type: 'function_call_output', call_id: 'c', output: [{ type: 'input_image', file_id: 'f' }] }),
    ],
    ['/responses', put({ type: 'image_generation_call', id: 'ig_1' })],
    ['/responses', put({ type: 'Message', role: 'user', content: 'x' })],
    ['/responses', put({ Type: 'input_file', role: 'user', content: 'x' })],
    ['/responses', { tools: [{ type: 'function', name: 'f' }, { type: 'web_search' }] }],
    ['/responses', { tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] }],
    ['/responses', { tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] }],
    ['/responses', { tools: [{ type: 'mcp', server_url: 'https://a.example' }] }],
    ['/responses', { service_tier: 'priority' }],
    ['/responses', { something_new: 'id_1' }],
    ['/responses', { Previous_Response_ID: 'resp_1' }],
    ['/chat/completions', say({ type: 'image_url', image_url: { url: 'https://a.example/x.png' } })],
    ['/chat/completions', say({ type: 'image_url', image_url: 'https://a.example/x.png' })],
    ['/chat/completions', say({ type: 'file', file: { file_id: 'file_1' } })],
    ['/chat/completions', { messages: [{ role: 'assistant', audio: { id: 'audio_1' } }] }],
    ['/chat/completions', { web_search_options: { search_context_size: 'high' } }],
    ['/chat/completions', { web_search_options: {} }],
    ['/chat/completions', { enable_search: true }],
    ['/messages', say({ type: 'image', source: { type: 'url', url: 'https://a.example/x.png' } })],
    ['/messages', say({ type: 'document', source: { type: 'file', file_id: 'file_1' } })],
    ['/messages', say({ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'UEsD' } })],
    [
      '/messages',
      say({ type: 'tool_result', content: [{ type: 'image', source: { type: 'url', url: 'https://a' } }] }),
    ],
    ['/messages', say({ type: 'container_upload', file_id: 'file_1' })],
    ['/messages', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
    ['/messages', { tools: [{ type: 'code_execution_20250825', name: 'code_execution' }] }],
    ['/messages', { mcp_servers: [{ type: 'url', url: 'https://a.example' }] }],
    ['/messages', { container: 'container_1' }],
    ['/messages', { speed: 'fast' }],
    ['/responses', put({ id: 'msg_1' })],
    ['/responses', put({ id: 'rs_1', type: null })],
    ['/responses', put({ type: 'reasoning', id: 'rs_1', content: [{ type: 'reasoning_text', text: '' }] })],
    ['/responses', put({ type: 'message', role: 'assistant', content: [], audio: { id: 'a' } })],
    ['/responses', { tools: [{ type: 'namespace', name: 'n', tools: [{ type: 'web_search' }] }] }],
    ['/responses', { tools: [{ type: 'shell', environment: { type: 'container_auto' } }] }],
    ['/responses', { tools: [{ type: 'function', Type: 'web_search', name: 'x' }] }],
    ['/chat/completions', { tools: [{ google_search: {} }] }],
    ['/chat/completions', { tools: { 0: { type: 'web_search' } } }],
    ['/chat/completions', { num_return_sequences: 8 }],
    ['/chat/completions', { prediction: { type: 'content', content: 'x' } }],
    ['/chat/completions', say({ video_url: { url: 'https://a.example/x.mp4' } })],
    ['/chat/completions', say({ file: { file_id: 'f' } })],
    ['/chat/completions', say({ type: 'input_audio', input_audio: { data: 'https://a.example/x.mp3' } })],
    ['/chat/completions', say({ type: 'image_url', image_url: { url: 'data:application/pdf;base64,JVBERi0' } })],
    ['/messages', { tools: [{ name: 'web_search', Type: 'web_search_20250305' }] }],
    ['/messages', { context_management: { edits: [{ type: 'compact_20260112' }] } }],
    [
      '/messages',
      say({
        type: 'web_search_tool_result',
        content: [{ type: 'document', source: { type: 'url', url: 'https://a.example' } }],
      }),
    ],
  ])('is detected at %s: %j', (path, fields) => {
    expect(findReference(path, fields)).toBeDefined();
  });

  it.each<[CallPath, object]>([
    ['/chat/completions', say({ type: 'text', text: 'https://a.example/x.png' })],
    ['/chat/completions', say({ type: 'image_url', image_url: { url: IMAGE, detail: 'high' } })],
    ['/chat/completions', { messages: [{ role: 'user', content: 'x' }], top_k: 40, min_p: 0.1, ignore_eos: true }],
    [
      '/chat/completions',
      { messages: [{ role: 'assistant', tool_calls: [{ id: 'c', function: { arguments: '{}' } }] }] },
    ],
    ['/chat/completions', { tools: [{ type: 'function', function: { parameters: { properties: { url: {} } } } }] }],
    ['/chat/completions', { service_tier: 'auto', store: false, metadata: { url: 'https://a.example' } }],
    [
      '/responses',
      {
        instructions: 'x',
        ...put(
          { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'x' }] },
          { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' },
          { type: 'function_call', call_id: 'c', name: 'shell', arguments: '{"url":"https://a.example"}' },
          { type: 'function_call_output', call_id: 'c', output: 'x' },
          { type: 'custom_tool_call', call_id: 'd', name: 'apply_patch', input: 'x' },
          { type: 'custom_tool_call_output', call_id: 'd', output: 'x' },
        ),
        tools: [{ type: 'function', name: 'shell' }, { type: 'custom', name: 'apply_patch' }, { type: 'local_shell' }],
        ...{
          tool_choice: 'auto',
          parallel_tool_calls: false,
          reasoning: { effort: 'medium' },
          store: false,
          stream: true,
        },
        ...{ include: ['reasoning.encrypted_content'], prompt_cache_key: 'k', text: { verbosity: 'low' } },
        ...{ previous_response_id: null, service_tier: null, client_metadata: { a: 'b' } },
      },
    ],
    [
      '/messages',
      {
        system: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }],
        ...say(
          { type: 'text', text: 'x', cache_control: { type: 'ephemeral' } },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBO' } },
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'x' } },
          { type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'x' }] },
          { type: 'tool_use', id: 't', name: 'WebFetch', input: { url: 'https://a.example', file_id: 'x', Type: 'y' } },
          { type: 'thinking', thinking: 'x', signature: 's' },
          {
            type: 'web_search_tool_result',
            tool_use_id: 's',
            content: [{ type: 'web_search_result', url: 'https://a' }],
          },
        ),
        tools: [
          { name: 'Bash', input_schema: {} },
          { type: 'bash_20250124', name: 'bash' },
        ],
        ...{
          metadata: { user_id: 'u' },
          thinking: { type: 'enabled', budget_tokens: 1 },
          context_management: { edits: [] },
        },
      },
    ],
    ['/messages', say({ type: 'tool_result', content: [{ type: 'tool_reference', tool_name: 'x' }] })],
    ['/messages', { diagnostics: { previous_message_id: 'm' }, speed: 'standard', inference_geo: 'us' }],
    ['/responses', { tools: [{ type: 'namespace', name: 'n', tools: [{ type: 'function', name: 'f' }] }] }],
    ['/responses', { tools: [{ type: 'tool_search', execution: 'client' }], prompt_cache_options: { ttl: '1h' } }],
    ['/responses', { tools: [{ type: 'shell', environment: { type: 'local' } }] }],
    ['/chat/completions', { usage: { include: true }, num_return_sequences: 1, guided_json: { type: 'object' } }],
    ['/embeddings', { input: ['a'], input_type: 'query' }],
    ['/embeddings', { input: ['a', 'b'], encoding_format: 'base64', dimensions: 3 }],
    ['/messages/count_tokens', say({ type: 'image', source: { type: 'url', url: 'https://a.example/x.png' } })],
  ])('is not detected at %s: %j', (path, fields) => {
    expect(findReference(path, fields)).toBeUndefined();
  });

  it('is assumed beyond the scan limit', () => {
    expect(findReference('/chat/completions', { messages: Array(100_001).fill(1) })).toBeDefined();
  });

  it.each([
    ['max_tokens', `1${'0'.repeat(3000)}`],
    ['n', `1e${'0'.repeat(3000)}2`],
    ['model', `"${'a'.repeat(3000)}"`],
    ['stream', `"${'a'.repeat(3000)}"`],
  ])('%s that is too long to be scanned is refused (GW-17)', (name, value) => {
    const body = Buffer.from(`{${name === 'model' ? '' : '"model":"m",'}"${name}":${value}}`);
    expect(() => readCall('/chat/completions', body)).toThrow(`"${name}" is longer than 2048 bytes`);
  });

  it.each(['"Include_Usage":false', '"includeUsage":false', '"include_usage":true,"include_usage":false'])(
    'stream options are refused if they are spelled differently or repeated: %s (GW-17)',
    (options) => {
      const body = Buffer.from(`{"model":"m","stream":true,"stream_options":{${options}}}`);
      expect(() => readCall('/chat/completions', body)).toThrow('include_usage');
    },
  );
});
