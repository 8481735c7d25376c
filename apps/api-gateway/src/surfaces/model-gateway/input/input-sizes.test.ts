import { readCall } from '../read-call.ts';
import { sizeTokenNumbers } from './input-sizes.ts';

const PIXELS = 'A'.repeat(1_000_000);
const view = (body: object, indent?: number) => {
  const path = 'system' in body ? '/messages' : 'input' in body ? '/responses' : '/chat/completions';
  return readCall(path, Buffer.from(JSON.stringify({ model: 'a', ...body }, null, indent)));
};
const user = (...content: object[]) => [{ role: 'user', content: [...content, { type: 'text', text: 'What is it?' }] }];
const chat = (part: object) => ({ messages: user(part) });
const messages = (part: object) => ({ system: 'x', messages: user(part) });
const responses = (part: object) => ({ input: [{ role: 'user', content: [part] }] });
const IMAGES: readonly (readonly [string, object])[] = [
  ['chat', chat({ type: 'image_url', image_url: { url: `data:image/webp;base64,${PIXELS}`, detail: 'high' } })],
  ['responses', responses({ type: 'input_image', image_url: `data:image/png;base64,${PIXELS}` })],
  [
    'messages',
    messages({ type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: `/9j/${PIXELS}` } }),
  ],
  [
    'messages with the type as its last member',
    messages({ source: { data: PIXELS, media_type: 'image/png', type: 'base64' }, type: 'image' }),
  ],
  [
    'messages, in a tool result',
    messages({
      type: 'tool_result',
      content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXELS } }],
    }),
  ],
];

describe('the input of a call is estimated (GW-11)', () => {
  it.each(IMAGES)('with 5,000 tokens for an image of %s, whatever its size and JSON notation', (_api, body) => {
    for (const indent of [undefined, 2]) {
      const { inputBytes, reference } = view(body, indent);
      expect(reference).toBeUndefined();
      expect(inputBytes).toBeGreaterThan(17_500);
      expect(inputBytes).toBeLessThan(18_500);
    }
  });

  it('with each of its images', () => {
    const part = { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXELS}` } };
    const { inputBytes } = view({ messages: user(part, part, part) });
    expect([inputBytes > 3 * 17_500, inputBytes < 3 * 17_700]).toEqual([true, true]);
  });

  const image = `data:image/png;base64,iVBORw0KGgo${PIXELS}`;
  it.each<[string, object]>([
    ['a text', chat({ type: 'text', text: PIXELS })],
    ['a text that looks like an image', chat({ type: 'text', text: image })],
    ['a text that quotes an image', chat({ type: 'text', text: JSON.stringify({ url: image }) })],
    [
      'a text document instead of an image',
      messages({ type: 'document', source: { type: 'text', data: `iVBORw0KGgo${PIXELS}` } }),
    ],
    [
      'arguments of a tool call',
      messages({ type: 'tool_use', id: 't', name: 'x', input: { url: image, data: image } }),
    ],
    [
      'a schema',
      { ...chat({ type: 'text', text: '' }), tools: [{ name: 'x', parameters: { default: { url: image } } }] },
    ],
    ['metadata', { ...chat({ type: 'text', text: '' }), metadata: { data: image } }],
  ])('from the size in bytes of %s', (_what, body) => {
    expect(view(body).inputBytes).toBe(JSON.stringify({ model: 'a', ...body }).length);
  });

  const pdf = (text: string) => Buffer.from(`%PDF-1.7\n${text}`).toString('base64');
  const wrap = (data: string): readonly object[] => [
    messages({ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } }),
    responses({ type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${data}` }),
    chat({ type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${data}` } }),
  ];
  it.each([
    ['the number that the file declares', pdf(`<< /Type /Pages /Count 7 >>${'x'.repeat(1_000_000)}`), 7],
    ['the number of page objects', pdf('<< /Type /Page >>'.repeat(12)), 12],
    ['ten for a small file that declares no number', pdf('x'), 10],
    ['by size for a file that declares no number', pdf('x'.repeat(300_000)), 31],
    ['a hundred for a large file that declares no number', pdf('x'.repeat(3_000_000)), 100],
    ['at most a thousand', pdf('/Count 999999'), 1000],
  ])('with 3,000 tokens for a page of a PDF: %s', (_what, data, pages) => {
    for (const body of wrap(data)) {
      const { inputBytes, reference } = view(body);
      expect(reference).toBeUndefined();
      expect(inputBytes - pages * 3000 * 3.5).toBeLessThan(400);
      expect(inputBytes - pages * 3000 * 3.5).toBeGreaterThan(0);
    }
  });

  it('with one token per hundred bytes of audio', () => {
    const { inputBytes } = view(chat({ type: 'input_audio', input_audio: { data: PIXELS, format: 'mp3' } }));
    expect([inputBytes > 35_000, inputBytes < 35_500]).toEqual([true, true]);
  });

  it('from its bytes if it is truncated', () => {
    const bytes = Buffer.from(`{"model":"a","messages":[{"image_url":"data:image/png;base64,${PIXELS}]}`);
    expect(() => readCall('/chat/completions', bytes)).toThrow();
  });

  it.each([
    ['[1,2,3]', 11],
    ['[[1,2],[3]]', 11],
    [`[${Array(200).fill(1).join(',')}]`, 700],
    ['["a"]', 0],
  ])('with one token for each token id: %s', (input, bytes) => {
    expect(sizeTokenNumbers(Buffer.from(input))).toBe(bytes);
  });
});
