import type { ClaimedBatch } from '@steward/search';
import { ReadyBatches } from './ready-batches.ts';

const make = (accountId: string, isOnlyDue = false) => ({
  batch: { accountId } as ClaimedBatch,
  usableUntil: 0,
  isOnlyDue,
});
const takeAll = (batches: ReadyBatches): string[] => {
  const taken: string[] = [];
  for (let next = batches.take(); next !== undefined; next = batches.take()) taken.push(next.batch.accountId);
  return taken;
};

describe('the slots of a process (EMB-11)', () => {
  it('are given to one account only up to half while another has work, and never exceed their number', () => {
    const batches = new ReadyBatches(4);
    batches.add([make('a'), make('a'), make('a'), make('b')]);
    expect(takeAll(batches)).toEqual(['a', 'a', 'b']);
    batches.add([make('b'), make('c'), make('d')]);
    expect(takeAll(batches)).toEqual(['b']);
  });

  it('are all available to a single account, until another one has work', () => {
    const batches = new ReadyBatches(4);
    batches.add(Array.from({ length: 8 }, () => make('a', true)));
    expect(takeAll(batches)).toEqual(['a', 'a', 'a', 'a']);
    batches.add([make('b')]);
    batches.leavePlace(make('a').batch);
    expect(takeAll(batches)).toEqual(['b']);
    batches.leavePlace(make('b').batch);
    expect(takeAll(batches)).toEqual([]);
    batches.end(make('b').batch);
    expect(takeAll(batches)).toEqual(['a']);
  });

  it('are kept free for others if one account fills the queue', () => {
    const batches = new ReadyBatches(2);
    batches.add([make('a', true), make('a', true)]);
    expect(batches.describePlaces()).toEqual({ room: 0, share: 1, waiting: new Map([['a', 2]]), busy: ['a'] });
    batches.add([make('b')]);
    expect(batches.describePlaces()).toBeUndefined();
  });
});
