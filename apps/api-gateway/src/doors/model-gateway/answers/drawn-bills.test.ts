import fc from 'fast-check';
import { chargeOf, findModelPrice } from '@steward/slice-models';
import { createUsageReader } from './usage-reader.ts';

const OPENAI = { provider: 'openai', baseUrl: 'https://api.openai.com/v1', customPrices: null } as const;
const AUDIO = findModelPrice({ ...OPENAI, modelIdentifier: 'gpt-audio' }, new Date('2026-11-20T10:00:00Z'));

function bill(usage: object): string {
  const reader = createUsageReader({
    path: '/chat/completions',
    isStream: false,
    inputBytes: 350,
    mostOutputTokens: 100,
  });
  reader.read(Buffer.from(JSON.stringify({ choices: [{ message: { content: 'x' } }], usage })));
  return chargeOf(AUDIO, reader.count(true).counts).costUsd ?? '';
}

describe('what an answer costs (MOD-13)', () => {
  it('is booked to the pico-dollar over 10,000 drawn answers', () => {
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
        const booked = bill(usage);
        const [whole = '', fraction = ''] = booked.split('.');
        const reckoned =
          input * BigInt(plain + cached + cachedAudio) +
          sound * BigInt(audio) +
          written * BigInt(text) +
          spokenRate * BigInt(spoken);
        expect(BigInt(whole + fraction.padEnd(12, '0'))).toBe(reckoned);
      }),
      { numRuns: 10_000 },
    );
  });
});
