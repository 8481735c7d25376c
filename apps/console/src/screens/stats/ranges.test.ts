import { describeChange, listStretches, readRange } from './ranges.ts';

const NOW = new Date('2026-11-20T10:20:00Z');

describe('the time ranges of charts', () => {
  it.each(['24h', '7d'] as const)('for %s are whole hours including the current one, and as many before', (range) => {
    const { current, before } = listStretches(range, NOW);
    expect([current.to, current.step]).toEqual(['2026-11-20T11:00:00.000Z', 'hour']);
    expect(before.to).toBe(current.from);
    const length = ({ from, to }: typeof current) => Date.parse(to) - Date.parse(from);
    expect(length(before)).toBe(length(current));
  });

  it('are the 30 days up to today, and the 30 days before', () => {
    const { current, before } = listStretches('30d', NOW);
    expect(current.step).toBe('day');
    expect(before.to).toBe(current.from);
    const days = ({ from, to }: typeof current) => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
    expect([days(current), days(before)]).toEqual([30, 30]);
  });

  it('default to the last 24 hours', () => {
    expect([readRange(undefined), readRange('1y'), readRange('30d')]).toEqual(['24h', '24h', '30d']);
  });
});

describe('a change of a measured value', () => {
  it.each([
    [112, 100, '+12 %'],
    [50, 100, '−50 %'],
    [7, 7, '±0 %'],
    [3, 0, undefined],
  ])('to %s from %s is shown as %s', (now, before, said) => {
    expect(describeChange(now, before)).toBe(said);
  });
});
