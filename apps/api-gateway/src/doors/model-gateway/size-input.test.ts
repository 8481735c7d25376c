import { sizeInput } from './size-input.ts';

const PIXELS = 'A'.repeat(1_000_000);
const size = (body: unknown, indent?: number): number => sizeInput(Buffer.from(JSON.stringify(body, null, indent)));
const chat = (part: object) => ({ model: 'a', messages: [{ role: 'user', content: [part, { text: 'What is it?' }] }] });

describe('the input of a call is estimated (GW-11)', () => {
  it.each<[string, object]>([
    ['chat', { type: 'image_url', image_url: { url: `data:image/webp;base64,${PIXELS}`, detail: 'high' } }],
    ['responses', { type: 'input_image', image_url: `data:image/png;base64,${PIXELS}` }],
    ['messages', { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: `/9j/${PIXELS}` } }],
    ['messages, a PNG', { type: 'image', source: { data: `iVBORw0KGgo${PIXELS}`, type: 'base64' } }],
  ])('with 5,000 tokens for an image of %s, however large it is and its JSON is written', (_api, part) => {
    for (const indent of [undefined, 2]) {
      expect(size(chat(part), indent)).toBeGreaterThan(17_500);
      expect(size(chat(part), indent)).toBeLessThan(18_500);
    }
  });

  it('with each image of it', () => {
    const parts = Array.from({ length: 3 }, () => ({ image_url: { url: `data:image/png;base64,${PIXELS}` } }));
    const sized = size({ messages: [{ content: parts }] });
    expect([sized > 3 * 17_500, sized < 3 * 17_600]).toEqual([true, true]);
  });

  it.each<[string, object]>([
    ['a text', { type: 'text', text: PIXELS }],
    ['a text that looks like one', { type: 'text', text: `data:image/png;base64,${PIXELS}` }],
    ['a text that quotes one', { type: 'text', text: JSON.stringify({ url: `data:image/png;base64,${PIXELS}` }) }],
    ['a document', { source: { media_type: 'application/pdf', data: `JVBERi0${PIXELS}` } }],
    ['a small image', { image_url: { url: 'data:image/png;base64,iVBORw0KGgo' }, text: PIXELS }],
  ])('by every byte of %s', (_what, part) => {
    expect(size(chat(part))).toBe(JSON.stringify(chat(part)).length);
  });

  it('by its bytes where it breaks off', () => {
    const bytes = Buffer.from(`{"model":"a","image_url":"data:image/png;base64,${PIXELS}`);
    expect(sizeInput(bytes)).toBe(bytes.byteLength);
  });
});
