import { chargeOf, findModelPrice } from '@steward/models';
import type { CallPath } from '../call-path.ts';
import { createUsageReader } from './usage-reader.ts';

const AT = new Date('2026-11-20T10:00:00Z');
const OPENAI = { provider: 'openai', baseUrl: 'https://api.openai.com/v1', customPrices: null } as const;
const EUROPE = { ...OPENAI, baseUrl: 'https://eu.api.openai.com/v1' } as const;
const ANTHROPIC = { provider: 'anthropic', baseUrl: 'https://api.anthropic.com', customPrices: null } as const;
const priceOf = (modelIdentifier: string, of: typeof OPENAI | typeof ANTHROPIC | typeof EUROPE = OPENAI) =>
  findModelPrice({ ...of, modelIdentifier }, AT);
const GPT = priceOf('gpt-5.4');
const CLAUDE = priceOf('claude-sonnet-4-5', ANTHROPIC);
type Price = typeof GPT;

function read(path: CallPath, isStream: boolean, text: string) {
  const reader = createUsageReader({ path, isStream, inputBytes: 350, mostOutputTokens: 100 });
  reader.read(Buffer.from(text));
  return reader.count(true).counts;
}
const bill = (price: Price, path: CallPath, answer: object) =>
  chargeOf(price, read(path, false, JSON.stringify(answer))).costUsd;
const chat = (usage: object) => ({ choices: [{ message: { content: 'x' } }], usage });
const message = (usage: object) => ({ type: 'message', content: [{ type: 'text', text: 'x' }], usage });
const items = (...types: string[]) => types.map((type) => ({ type }));

describe('the billed cost of a response beyond its tokens (MOD-13)', () => {
  it.each<[string, Price, CallPath, object, string | null]>([
    [
      'the fast mode of a model that it makes twice as dear',
      priceOf('claude-opus-5', ANTHROPIC),
      '/messages',
      message({ input_tokens: 1000, output_tokens: 100, speed: 'fast' }),
      // (1000 x 5 + 100 x 25) x 2
      '0.015',
    ],
    [
      'messages that are answered in one country alone, in fast mode, with a search',
      priceOf('claude-opus-5', ANTHROPIC),
      '/messages',
      message({
        ...{ input_tokens: 1000, cache_read_input_tokens: 1000, output_tokens: 100, speed: 'fast' },
        ...{ inference_geo: 'us', server_tool_use: { web_search_requests: 1 } },
      }),
      // (1000 x 5 + 1000 x 0.5 + 100 x 25) x 2 x 1.1 and a search
      '0.0276',
    ],
    [
      'messages that are answered anywhere',
      CLAUDE,
      '/messages',
      message({ input_tokens: 1000, output_tokens: 0, inference_geo: 'global' }),
      '0.003',
    ],
    [
      'what was summed up on the way, and asked of an adviser, which the sum leaves out',
      priceOf('claude-opus-5', ANTHROPIC),
      '/messages',
      message({
        ...{ input_tokens: 23_000, output_tokens: 1000, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
        iterations: [
          {
            ...{ type: 'compaction', input_tokens: 80_000, output_tokens: 3500, cache_read_input_tokens: 100_000 },
            ...{ cache_creation_input_tokens: 1000, cache_creation: { ephemeral_1h_input_tokens: 1000 } },
          },
          { type: 'message', input_tokens: 23_000, output_tokens: 1000 },
          { type: 'advisor_message', model: 'claude-opus-5', input_tokens: 1000, output_tokens: 10 },
          null,
        ],
      }),
      // (23,000 + 80,000 + 1000) x 5 + 100,000 x 0.5 + 1000 x 10 + (1000 + 3500 + 10) x 25
      '0.69275',
    ],
    [
      'a model of a region',
      priceOf('gpt-5.4', EUROPE),
      '/responses',
      { output: items('message'), usage: { input_tokens: 1000, output_tokens: 1000 } },
      // 17.5 x 1.1
      '0.01925',
    ],
    [
      'a model of a region that is older than what regions cost',
      priceOf('gpt-4o-mini', EUROPE),
      '/chat/completions',
      chat({ prompt_tokens: 1000, completion_tokens: 1000 }),
      '0.00075',
    ],
    [
      'searches that its provider bills, and not the pages that were opened',
      GPT,
      '/responses',
      {
        output: items('web_search_call', 'web_search_call', 'web_search_call', 'message'),
        usage: { input_tokens: 0, output_tokens: 0 },
        tool_usage: { image_gen: { input_tokens: 0, output_tokens: 0 }, web_search: { num_requests: 1 } },
      },
      '0.01',
    ],
    [
      'pictures that are drawn on the way',
      GPT,
      '/responses',
      {
        output: items('image_generation_call', 'message'),
        usage: { input_tokens: 1000, output_tokens: 0 },
        tool_usage: {
          image_gen: {
            ...{ input_tokens: 300, output_tokens: 1056, total_tokens: 1356 },
            input_tokens_details: { image_tokens: 200, text_tokens: 100 },
          },
          web_search: { num_requests: 0 },
        },
      },
      // 1000 x 2.5, and at the price of gpt-image-1: 100 x 5 + 200 x 10 + 1056 x 40
      '0.04724',
    ],
  ])('%s', (_what, price, path, answer, cost) => {
    expect(bill(price, path, answer)).toBe(cost);
  });

  it('is the same for a stream that reports its tools at the end', () => {
    const tool_usage = { image_gen: { input_tokens: 100, output_tokens: 1000 }, web_search: { num_requests: 0 } };
    const usage = { input_tokens: 1000, output_tokens: 0 };
    const events = [
      { type: 'response.output_item.done', item: { type: 'web_search_call' } },
      { type: 'response.completed', response: { usage, tool_usage, output: [{ type: 'web_search_call' }] } },
    ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    // 1000 x 2.5, 100 x 5 and 1000 x 40; no search
    expect(chargeOf(GPT, read('/responses', true, events.join(''))).costUsd).toBe('0.043');
  });

  it.each([
    ['is no table', 'many'],
    ['counts nothing', { image_gen: { input_tokens: -1, output_tokens: 'x' }, web_search: {} }],
    ['is null', null],
  ])('is calculated from the output items if the tool usage of the response %s', (_what, tool_usage) => {
    const answer = { output: items('web_search_call'), usage: { input_tokens: 1000, output_tokens: 0 }, tool_usage };
    expect(bill(GPT, '/responses', answer)).toBe('0.0125');
  });
});
