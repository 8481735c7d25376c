import { createLedger } from './ledger.ts';

describe('the ledger of a chaos run', () => {
  it('reports lost and repeated events, and events received under two ids', () => {
    const ledger = createLedger();
    for (const session of ['a', 'b', 'c']) ledger.recordEmitted(session);
    ledger.recordReceived('a', 'event-a');
    ledger.recordReceived('a', 'event-a');
    ledger.recordReceived('b', 'event-b');
    ledger.recordReceived('b', 'event-b2');
    ledger.recordReceived('d', 'event-d');
    expect(ledger.readMissing()).toEqual(['c']);
    expect(ledger.summarize()).toEqual({
      emitted: 3,
      delivered: 2,
      duplicates: 2,
      lost: 1,
      splitIds: 1,
      unannounced: 1,
    });
  });
});
