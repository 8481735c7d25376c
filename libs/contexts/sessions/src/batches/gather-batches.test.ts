import type { SessionItem } from '@steward/session-formats';
import { gatherBatches } from './gather-batches.ts';

describe('the batches of an import', () => {
  it('have at most the number of entries allowed per transaction, even if a single record has more', () => {
    const session = { sourceType: 'vercel_ui', sourceId: 's', labels: {} };
    const items: SessionItem[] = Array.from({ length: 1001 }, (_, index) => ({
      session,
      entry: { kind: 'message', role: 'user', content: 'a', externalId: String(index) },
    }));
    const batches = gatherBatches(() => new Date(0));
    const sizes = [...items.flatMap((item) => batches.add(item)), ...batches.flush()].map(
      ({ entries }) => entries.length,
    );
    expect(sizes).toEqual([200, 200, 200, 200, 200, 1]);
  });
});
