import { chargeOf, findModelPrice } from '@steward/models';
import type { CallPath } from '../call-path.ts';
import { createUsageReader } from './usage-reader.ts';

const AT = new Date('2026-11-20T10:00:00Z');
const OPENAI = { provider: 'openai', baseUrl: 'https://api.openai.com/v1', customPrices: null } as const;
const ANTHROPIC = { provider: 'anthropic', baseUrl: 'https://api.anthropic.com', customPrices: null } as const;
const priceOf = (modelIdentifier: string, of: typeof OPENAI | typeof ANTHROPIC = OPENAI) =>
  findModelPrice({ ...of, modelIdentifier }, AT);
const AUDIO = priceOf('gpt-audio');
const GPT = priceOf('gpt-5.4');
const CLAUDE = priceOf('claude-sonnet-4-5', ANTHROPIC);
const NOBODY = findModelPrice({ ...OPENAI, provider: 'generic_compatible', modelIdentifier: 'nobody/knows' }, AT);
/** Price of an own model, per million tokens: one dollar for input, two for output, a tenth for cache reads. */
const OWN = findModelPrice(
  { ...OPENAI, modelIdentifier: 'own', customPrices: { input: '1', output: '2', cachedInput: '0.1' } },
  AT,
);
type Price = typeof GPT;

function bill(price: Price, path: CallPath, answer: object): string | null {
  const reader = createUsageReader({ path, isStream: false, inputBytes: 350, mostOutputTokens: 100 });
  reader.read(Buffer.from(JSON.stringify(answer)));
  return chargeOf(price, reader.count(true).counts).costUsd;
}
const chat = (usage: object, more: object = {}) => ({ choices: [{ message: { content: 'x' } }], usage, ...more });
const message = (usage: object) => ({ type: 'message', content: [{ type: 'text', text: 'x' }], usage });
const items = (...types: string[]) => types.map((type) => ({ type }));

describe('the cost of a response, as billed by its provider (MOD-13)', () => {
  it.each<[string, Price, CallPath, object, string | null]>([
    [
      'thoughts that are counted beside the answer',
      GPT,
      '/chat/completions',
      chat({
        prompt_tokens: 32,
        completion_tokens: 9,
        total_tokens: 135,
        completion_tokens_details: { reasoning_tokens: 94 },
      }),
      // 32 x 2.5 + 103 x 15
      '0.001625',
    ],
    [
      'thoughts that nobody names but the sum holds',
      GPT,
      '/chat/completions',
      chat({ prompt_tokens: 32, completion_tokens: 9, total_tokens: 135 }),
      '0.001625',
    ],
    [
      'thoughts that are within the answer',
      GPT,
      '/chat/completions',
      chat({
        prompt_tokens: 500,
        completion_tokens: 500,
        total_tokens: 1000,
        completion_tokens_details: { reasoning_tokens: 200 },
      }),
      '0.00875',
    ],
    [
      'the priority tier',
      GPT,
      '/chat/completions',
      chat({ prompt_tokens: 1000, completion_tokens: 1000 }, { service_tier: 'priority' }),
      '0.035',
    ],
    [
      'the flexible tier',
      GPT,
      '/responses',
      {
        output: items('message'),
        usage: { input_tokens: 1000, output_tokens: 1000 },
        service_tier: 'flex',
      },
      '0.00875',
    ],
    [
      'sound that is written',
      AUDIO,
      '/chat/completions',
      chat({
        prompt_tokens: 17,
        completion_tokens: 592,
        total_tokens: 609,
        completion_tokens_details: { text_tokens: 110, audio_tokens: 482 },
      }),
      // 17 x 2.5 + 110 x 10 + 482 x 64
      '0.0319905',
    ],
    [
      'sound that is heard, some of it cached',
      AUDIO,
      '/chat/completions',
      chat({
        prompt_tokens: 100,
        completion_tokens: 0,
        prompt_tokens_details: {
          audio_tokens: 60,
          cached_tokens: 30,
          cached_tokens_details: { audio_tokens: 20, text_tokens: 10 },
        },
      }),
      // 30 text tokens and 30 cached tokens of both kinds at 2.5, since there is no lower price for cached tokens, and
      // 40 audio tokens at 32
      '0.00143',
    ],
    [
      'searches of the web and of files',
      GPT,
      '/responses',
      {
        output: items('web_search_call', 'reasoning', 'web_search_call', 'file_search_call', 'message'),
        usage: { input_tokens: 0, output_tokens: 0 },
      },
      // 2 x 10 and 1 x 2.5 dollars per thousand
      '0.0225',
    ],
    [
      'searches of messages',
      CLAUDE,
      '/messages',
      message({ input_tokens: 0, output_tokens: 0, server_tool_use: { web_search_requests: 3 } }),
      '0.03',
    ],
    [
      'what is written to an hour’s cache',
      CLAUDE,
      '/messages',
      message({
        input_tokens: 3,
        output_tokens: 100,
        cache_creation_input_tokens: 12_304,
        cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 12_304 },
      }),
      '0.075333',
    ],
    [
      'the batch tier of messages',
      CLAUDE,
      '/messages',
      message({ input_tokens: 1000, output_tokens: 0, service_tier: 'batch' }),
      '0.0015',
    ],
    [
      'what the provider says itself where nobody knows a price',
      NOBODY,
      '/chat/completions',
      chat({ prompt_tokens: 10, completion_tokens: 10, cost: 0.000_42 }),
      '0.00042',
    ],
    [
      'with a key of one’s own at its provider',
      NOBODY,
      '/chat/completions',
      chat({
        prompt_tokens: 10,
        completion_tokens: 10,
        cost: 0.000_01,
        is_byok: true,
        cost_details: { upstream_inference_cost: 0.0002 },
      }),
      '0.00021',
    ],
    [
      'in the sum of a table',
      NOBODY,
      '/chat/completions',
      chat({ prompt_tokens: 1, completion_tokens: 1, cost: { total_cost: 0.006, currency: 'USD' } }),
      '0.006',
    ],
    [
      'in ticks',
      NOBODY,
      '/chat/completions',
      chat({ prompt_tokens: 1, completion_tokens: 1, cost_in_usd_ticks: 37_756_000 }),
      '0.0037756',
    ],
    [
      'as an estimate of its own',
      NOBODY,
      '/chat/completions',
      chat({ prompt_tokens: 1, completion_tokens: 1, estimated_cost: 1e-7 }),
      '0.0000001',
    ],
    [
      'nobody knows what',
      NOBODY,
      '/chat/completions',
      chat({ prompt_tokens: 1, completion_tokens: 1, cost: -1 }),
      null,
    ],
    [
      'pictures that are looked at, some of them cached',
      priceOf('gpt-image-1'),
      '/responses',
      {
        output: items('message'),
        usage: {
          input_tokens: 1000,
          output_tokens: 0,
          input_tokens_details: {
            image_tokens: 800,
            cached_tokens: 300,
            cached_tokens_details: { image_tokens: 300, text_tokens: 0 },
          },
        },
      },
      // 200 x 5 + 500 x 10 + 300 x 2.5
      '0.00675',
    ],
    [
      'what a cache hit, by the name of DeepSeek',
      OWN,
      '/chat/completions',
      chat({ prompt_tokens: 1000, prompt_cache_hit_tokens: 900, prompt_cache_miss_tokens: 100, completion_tokens: 10 }),
      // 100 x 1 + 900 x 0.1 + 10 x 2
      '0.00021',
    ],
    [
      'what a cache hit, by the name of Moonshot',
      OWN,
      '/chat/completions',
      chat({ prompt_tokens: 1000, cached_tokens: 900, completion_tokens: 10 }),
      '0.00021',
    ],
    [
      'sources of a search, at the usual price of one',
      OWN,
      '/chat/completions',
      chat({ prompt_tokens: 0, completion_tokens: 0, num_sources_used: 4 }),
      '0.04',
    ],
    [
      'queries of a search',
      OWN,
      '/chat/completions',
      chat({ prompt_tokens: 0, completion_tokens: 0, num_search_queries: 2 }),
      '0.02',
    ],
    [
      'the fast mode of messages',
      CLAUDE,
      '/messages',
      message({ input_tokens: 1000, output_tokens: 0, speed: 'fast' }),
      // 1000 x 3 x 6
      '0.018',
    ],
    ['vectors', OWN, '/embeddings', { data: [], usage: { prompt_tokens: 1000, total_tokens: 1000 } }, '0.001'],
    [
      'a response that was read at its end',
      GPT,
      '/responses',
      { id: 'r', status: 'completed', output: items('message'), usage: { input_tokens: 1000, output_tokens: 1000 } },
      '0.0175',
    ],
    [
      'of the steps of a search the search alone',
      GPT,
      '/responses',
      {
        output: [
          { type: 'web_search_call', action: { type: 'search' } },
          { action: { type: 'open_page', url: 'https://x.example' }, type: 'web_search_call' },
          { type: 'web_search_call', action: { type: 'find_in_page' } },
        ],
        usage: { input_tokens: 0, output_tokens: 0 },
      },
      '0.01',
    ],
    ['nothing where a response only failed', GPT, '/responses', { id: 'r', status: 'failed', usage: null }, '0'],
    ['nothing where it only failed', GPT, '/chat/completions', { error: { message: 'Overloaded' } }, '0'],
  ])('%s', (_what, price, path, answer, cost) => {
    expect(bill(price, path, answer)).toBe(cost);
  });

  it('is the same for a stream of the Responses API, which reports each tool twice', () => {
    const reader = createUsageReader({ path: '/responses', isStream: true, inputBytes: 350, mostOutputTokens: 100 });
    const item = (type: string, action = 'search') => ({
      item: { id: 'x', type: 'web_search_call', action: { type: action } },
      type,
    });
    const response = { usage: { input_tokens: 1000, output_tokens: 0 }, service_tier: 'priority' };
    for (const event of [
      { type: 'response.created', response: { service_tier: 'auto', usage: null } },
      item('response.output_item.added'),
      item('response.output_item.done'),
      item('response.output_item.done', 'open_page'),
      { type: 'response.completed', response: { ...response, output: [{ type: 'web_search_call' }] } },
    ])
      reader.read(Buffer.from(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`));
    // 1000 x 2.5 x 2 and a search
    expect(chargeOf(GPT, reader.count(true).counts)).toEqual({ costUsd: '0.015', source: 'catalogue' });
  });
});
