import { fitBatches, type BatchLimits } from './fit-batches.ts';

const texts = (...all: string[]) => all.map((text, index) => ({ chunkId: `chunk-${index}`, text }));
const LIMITS: BatchLimits = { maxTexts: 10, maxTokens: 1000, tokensPerByte: 1, pricePerMtok: 1, capUsd: 1 };
const count = (sent: readonly string[], change: Partial<BatchLimits>) =>
  fitBatches(texts(...sent), { ...LIMITS, ...change }).map((batch) => batch.texts.length);

describe('batches', () => {
  it('take texts in order up to the limits of number, tokens and daily budget', () => {
    const sent = ['aaaa', 'bbbb', 'cccc', 'dddd'];
    expect(count(sent, {})).toEqual([4]);
    expect(count(sent, { maxTexts: 3 })).toEqual([3, 1]);
    expect(count(sent, { maxTokens: 11 })).toEqual([2, 2]);
    expect(count(sent, { capUsd: 0.000008 })).toEqual([2, 2]);
    expect(fitBatches(texts(...sent), LIMITS)).toMatchObject([
      { bytes: 16, tokens: 16, costUsd: 0.000016, mostUsd: 0.00008 },
    ]);
  });

  it('have a maximum cost of at least the expected cost, even for a provider that counts more tokens than bytes', () => {
    expect(fitBatches(texts('aaaa'), { ...LIMITS, tokensPerByte: 30 })).toMatchObject([
      { costUsd: 0.00012, mostUsd: 0.00012 },
    ]);
  });

  it('take a single text of any size or price: only its provider or its cap can refuse it', () => {
    expect(count(['a'.repeat(2000), 'b'], {})).toEqual([1, 1]);
    expect(count(['aaaa', 'b'], { capUsd: 0 })).toEqual([1, 1]);
    expect(count([], {})).toEqual([]);
  });
});
