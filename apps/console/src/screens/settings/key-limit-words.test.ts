import { describeKeyLimits, readKeyLimits } from './key-limit-words.ts';

const NONE = { calls_per_minute: null, calls_per_day: null, tokens_per_minute: null, tokens_per_day: null };
const USED = { calls_per_minute: 0, calls_per_day: 7, tokens_per_minute: 0, tokens_per_day: 0 };

describe('limits of a key (ACC-50)', () => {
  it.each([
    [{}, null],
    [{ models: ' , ', calls_per_minute: ' ' }, null],
    [{ models: 'fast, careful,fast' }, { models: ['fast', 'careful'] }],
    [
      { models: '', calls_per_day: '0', tokens_per_minute: '9' },
      { calls_per_day: 0, tokens_per_minute: 9 },
    ],
  ])('entered as %j are sent as %j', (values, sent) => {
    expect(readKeyLimits(values as Record<string, string>)).toEqual(sent);
  });

  it('are shown together with their usage', () => {
    expect(describeKeyLimits({ limits: null, limits_used: null })).toBe('none');
    const limits = { ...NONE, models: ['fast'], calls_per_day: 50 };
    expect(describeKeyLimits({ limits, limits_used: USED })).toBe('models: fast; calls per day: 7 of 50');
  });
});
