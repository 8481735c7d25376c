import { reconcile } from './reconcile.ts';

describe('the reconciliation of a run', () => {
  it('reports missing and repeated deliveries, and ignores unknown ones', () => {
    const arrivals = [
      ['/ok/1 a', 1],
      ['/ok/1 b', 2],
      ['/ok/1 b', 3],
      ['/ok/2 a', 4],
      ['/fail/1 a', 5],
    ] as const;
    expect(reconcile(['/ok/1 a', '/ok/1 b', '/ok/1 c', '/ok/2 a'], arrivals)).toEqual({
      sent: 4,
      lost: 1,
      duplicates: 1,
    });
  });
});
