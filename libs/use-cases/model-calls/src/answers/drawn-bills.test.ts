import fc from 'fast-check';
import { chargeOf, findModelPrice, type ModelPrice } from '@steward/models';
import type { CallPath } from '../call-path.ts';
import { createUsageReader } from './usage-reader.ts';

const OPENAI = { provider: 'openai', baseUrl: 'https://api.openai.com/v1', customPrices: null } as const;
const AUDIO = findModelPrice({ ...OPENAI, modelIdentifier: 'gpt-audio' }, new Date('2026-11-20T10:00:00Z'));

const OPUS = findModelPrice(
  { provider: 'anthropic', baseUrl: 'https://api.anthropic.com', customPrices: null, modelIdentifier: 'claude-opus-5' },
  new Date('2026-11-20T10:00:00Z'),
);

/** Returns the cost of a response, in pico-dollars. */
function bill(price: ModelPrice, path: CallPath, answer: object): bigint {
  const reader = createUsageReader({ path, isStream: false, inputBytes: 350, mostOutputTokens: 100 });
  reader.read(Buffer.from(JSON.stringify(answer)));
  const [whole = '', fraction = ''] = (chargeOf(price, reader.count(true).counts).costUsd ?? '').split('.');
  return BigInt(whole + fraction.padEnd(12, '0'));
}

describe('the cost of a response (MOD-13)', () => {
  it('is exact to the pico-dollar for 10,000 random responses', () => {
    const count = fc.nat({ max: 100_000 });
    const answers = fc.record({
      plain: count,
      cached: count,
      audio: count,
      cachedAudio: count,
      text: count,
      spoken: count,
    });
    const [input, sound, written, spokenRate] = [2_500_000n, 32_000_000n, 10_000_000n, 64_000_000n];
    fc.assert(
      fc.property(answers, ({ plain, cached, audio, cachedAudio, text, spoken }) => {
        const usage = {
          prompt_tokens: plain + cached + audio + cachedAudio,
          completion_tokens: text + spoken,
          prompt_tokens_details: {
            cached_tokens: cached + cachedAudio,
            audio_tokens: audio + cachedAudio,
            cached_tokens_details: { audio_tokens: cachedAudio },
          },
          completion_tokens_details: { audio_tokens: spoken },
        };
        const booked = bill(AUDIO, '/chat/completions', { choices: [{ message: { content: 'x' } }], usage });
        const reckoned =
          input * BigInt(plain + cached + cachedAudio) +
          sound * BigInt(audio) +
          written * BigInt(text) +
          spokenRate * BigInt(spoken);
        expect(booked).toBe(reckoned);
      }),
      { numRuns: 10_000 },
    );
  });

  it('is exact for messages of several turns, in any service tier and region', () => {
    const count = fc.nat({ max: 100_000 });
    const turn = fc.record({ fresh: count, cached: count, short: count, long: count, written: count });
    const answers = fc.record({
      ...{ whole: turn, beside: fc.array(turn, { maxLength: 3 }) },
      ...{ isFast: fc.boolean(), geo: fc.constantFrom('us', 'global', 'not_available', null) },
    });
    type Turn = typeof turn extends fc.Arbitrary<infer Value> ? Value : never;
    const toUsage = ({ fresh, cached, short, long, written }: Turn) => ({
      ...{ input_tokens: fresh, output_tokens: written, cache_read_input_tokens: cached },
      ...{ cache_creation_input_tokens: short + long, cache_creation: { ephemeral_1h_input_tokens: long } },
    });
    const reckon = ({ fresh, cached, short, long, written }: Turn): bigint =>
      5_000_000n * BigInt(fresh) +
      500_000n * BigInt(cached) +
      6_250_000n * BigInt(short) +
      10_000_000n * BigInt(long) +
      25_000_000n * BigInt(written);
    fc.assert(
      fc.property(answers, ({ whole, beside, isFast, geo }) => {
        const iterations = [
          { type: 'message', ...toUsage(whole) },
          ...beside.map((each) => ({ type: 'compaction', ...toUsage(each) })),
        ];
        const usage = { ...toUsage(whole), iterations, speed: isFast ? 'fast' : 'standard', inference_geo: geo };
        const booked = bill(OPUS, '/messages', { type: 'message', content: [], usage });
        const tokens = [whole, ...beside].map(reckon).reduce((sum, each) => sum + each, 0n);
        expect(booked).toBe((tokens * (isFast ? 2n : 1n) * (geo === 'us' ? 11n : 10n)) / 10n);
      }),
      { numRuns: 10_000 },
    );
  });
});
