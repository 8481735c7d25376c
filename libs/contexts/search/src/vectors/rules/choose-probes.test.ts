import { chooseProbes } from './choose-probes.ts';

const chunk = (id: number, isSummary = false) => ({ id, isSummary });
const idsOf = (chunks: readonly { readonly id: number }[]): number[] => chunks.map(({ id }) => id);

describe('chooseProbes', () => {
  it('takes all chunks of a short session', () => {
    expect(idsOf(chooseProbes([chunk(1), chunk(2), chunk(3, true)]))).toEqual([3, 1, 2]);
    expect(chooseProbes([])).toEqual([]);
  });

  it('takes summaries first and distributes the remaining probes over a long session', () => {
    const chunks = [chunk(1000, true), ...Array.from({ length: 700 }, (_, index) => chunk(index))];
    expect(idsOf(chooseProbes(chunks))).toEqual([1000, 50, 150, 250, 350, 450, 550, 650]);
  });

  it('takes at most eight, however many summaries there are', () => {
    expect(chooseProbes(Array.from({ length: 30 }, (_, index) => chunk(index, true)))).toHaveLength(8);
  });
});
