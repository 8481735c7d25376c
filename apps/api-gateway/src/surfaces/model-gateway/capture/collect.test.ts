import { startFakeProvider, type FakeProvider } from '@steward/fake-provider';
import { type CallPath, createUsageReader } from '@steward/model-calls';
import { captureBody, createAnswerCollector } from './answer-collector.ts';
import { MAX_CAPTURED_BYTES } from './collect-text.ts';

let provider: FakeProvider;
beforeAll(async () => void (provider = await startFakeProvider()));
afterAll(() => provider.close());

async function ask(path: CallPath, body: object): Promise<Buffer> {
  const response = await fetch(`${provider.origin}/v1${path}`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', ...body }),
  });
  return Buffer.from(await response.arrayBuffer());
}

function collectStream(path: CallPath, bytes: Buffer, pieceBytes = 7): unknown {
  const collector = createAnswerCollector(path, true);
  const onEvent = (data: string): boolean => {
    collector.addEvent(data);
    return collector.wantsMore;
  };
  const reader = createUsageReader({ path, isStream: true, inputBytes: 0, mostOutputTokens: 0, onEvent });
  for (let at = 0; at < bytes.byteLength; at += pieceBytes) reader.read(bytes.subarray(at, at + pieceBytes));
  return collector.finish();
}

function collectUnary(path: CallPath, bytes: Buffer): unknown {
  const collector = createAnswerCollector(path, false);
  collector.addChunk(bytes);
  return collector.finish();
}

const TOOLS = [{ name: 'weather', function: { name: 'weather' } }];

describe('the copy of a streamed response', () => {
  it.each<[CallPath, object, (answer: never) => unknown]>([
    [
      '/chat/completions',
      {},
      ({ choices }: { choices: { message: { content: string } }[] }) => choices[0]?.message.content,
    ],
    [
      '/chat/completions',
      { tools: TOOLS },
      ({ choices }: { choices: { message: { tool_calls: unknown } }[] }) => choices[0]?.message.tool_calls,
    ],
    ['/responses', {}, ({ output }: { output: unknown }) => output],
    ['/responses', { tools: TOOLS }, ({ output }: { output: unknown }) => output],
    ['/messages', {}, ({ content }: { content: unknown }) => content],
  ])('of %s equals the response without streaming: %j', async (path, more, pick) => {
    const [unary, stream] = [await ask(path, more), await ask(path, { ...more, stream: true })];
    expect(pick(collectStream(path, stream) as never)).toEqual(pick(collectUnary(path, unary) as never));
  });

  it('contains the arguments of a tool call in messages, and part of them if the stream was aborted', async () => {
    const stream = await ask('/messages', { tools: TOOLS, stream: true });
    const [whole] = (collectStream('/messages', stream) as { content: object[] }).content;
    expect(whole).toMatchObject({ type: 'tool_use', name: 'weather', input: { city: 'Praha' } });
    const end = stream.indexOf('ha\\",');
    const [half] = (
      collectStream('/messages', stream.subarray(0, stream.lastIndexOf('event:', end))) as { content: object[] }
    ).content;
    expect(half).toMatchObject({ name: 'weather', input: '{"city":"Pra' });
  });

  it('contains the words received before a response was aborted', async () => {
    const stream = await ask('/responses', { stream: true });
    const broken = stream.subarray(0, stream.indexOf('response.output_text.done') - 20);
    expect(JSON.stringify(collectStream('/responses', broken))).toContain('Hello from the provider');
  });

  it('is truncated at 2 MiB, and marked accordingly', async () => {
    provider.behave({ streamBytes: 3 * 1024 * 1024 });
    const cut = collectStream('/chat/completions', await ask('/chat/completions', { stream: true }), 65_536);
    expect(cut).toMatchObject({ cut: true });
    const { length } = JSON.stringify(cut);
    expect(length).toBeGreaterThan(MAX_CAPTURED_BYTES);
    expect(length).toBeLessThan(MAX_CAPTURED_BYTES + 1000);
  });
});

describe('the copy of a body', () => {
  it('is truncated at 2 MiB between characters', () => {
    const text = `{"x":"${'ž'.repeat(MAX_CAPTURED_BYTES)}`;
    const cut = captureBody(Buffer.from(text)) as { cut: boolean; text: string };
    expect(cut.cut).toBe(true);
    expect(text.startsWith(cut.text)).toBe(true);
    expect(Buffer.byteLength(cut.text)).toBeGreaterThan(MAX_CAPTURED_BYTES - 2);
  });

  it('is plain text if it is not JSON', () => expect(captureBody(Buffer.from('<html>'))).toBe('<html>'));

  it('contains only the number of vectors', async () => {
    expect(collectUnary('/embeddings', await ask('/embeddings', { input: ['a', 'b'] }))).toEqual({
      object: 'list',
      vectors: 2,
    });
  });
});
