import { boundTokens, estimateTokens, learnRatio } from './estimate-tokens.ts';

describe('the estimate of tokens (EMB-13)', () => {
  it('exceeds the tokenizer counts for prose, code and Chinese before it is calibrated', () => {
    // Token counts with cl100k_base: 9, 12 and 9.
    expect(estimateTokens('The quick brown fox jumps over the lazy dog')).toBeGreaterThanOrEqual(9);
    expect(estimateTokens('const x = await fetch(url);\nreturn x')).toBeGreaterThanOrEqual(12);
    expect(estimateTokens('今天天气很好')).toBeGreaterThanOrEqual(7);
    expect(estimateTokens('')).toBe(0);
  });

  it('follows the provider’s counts: quickly upward, slowly downward', () => {
    const first = learnRatio(undefined, { bytes: 1000, tokens: 250 });
    expect(first).toBe(0.25);
    expect(learnRatio(first, { bytes: 100, tokens: 90 })).toBe(0.9);
    expect(learnRatio(first, { bytes: 100, tokens: 5 })).toBeCloseTo(0.24);
    expect(learnRatio(first, { bytes: 0, tokens: 0 })).toBe(0.25);
  });

  it('equals the provider’s count if that is constant', () => {
    const ratio = learnRatio(undefined, { bytes: 3 * 7, tokens: 10 });
    expect(estimateTokens('a'.repeat(21), learnRatio(ratio, { bytes: 21, tokens: 10 }))).toBe(10);
  });
});

describe('the maximum token count of a text (EMB-14)', () => {
  it('is one token per byte plus the overhead of a model', () => {
    expect([boundTokens('aaaa'), boundTokens('気'), boundTokens('')]).toEqual([20, 19, 16]);
  });
});
