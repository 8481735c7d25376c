import { addLate, isBroken, renderSummary, type PairResult } from './summary.ts';

const FAIR: PairResult = {
  scenario: 'search',
  fault: 'kill -9 an app',
  faults: 3,
  done: 40,
  broken: { 'stored words not found at the end': 0 },
  noted: { searches: 80 },
};

describe('the summary of all chaos scenarios', () => {
  it('is not broken if every count of violations is 0', () => {
    expect(isBroken(FAIR)).toBe(false);
    expect(renderSummary([FAIR]).join('\n')).not.toContain('BROKEN');
  });

  it.each<[string, Partial<PairResult>, string]>([
    ['a violation', { broken: { 'lost events': 2 } }, '2 lost events'],
    ['an error', { error: 'it did not start' }, 'it did not start'],
    ['a scenario that tried nothing', { done: 0 }, 'nothing was tried'],
    ['a fault that was not injected', { faults: 0 }, 'no fault was injected'],
  ])('names %s', (_name, change, text) => {
    const result = { ...FAIR, ...change };
    expect(isBroken(result)).toBe(true);
    expect(renderSummary([FAIR, result]).at(-1)).toBe(`    BROKEN: ${text}`);
  });

  it('counts what is known only at the end of the run', () => {
    const late = addLate(FAIR, { done: 50, broken: { 'calls still held': 1 }, noted: { answers: 4 } });
    expect(isBroken(late)).toBe(true);
    expect(late).toMatchObject({ done: 50, noted: { searches: 80, answers: 4 } });
  });
});
