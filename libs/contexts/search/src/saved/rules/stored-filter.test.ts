import fc from 'fast-check';
import { SOURCE_KINDS } from '@steward/contracts';
import type { ChunkFilter } from '../../keyword/chunk-filter.ts';
import { readStoredFilter, writeStoredFilter } from './stored-filter.ts';

const time = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true });
const text = fc.string({ minLength: 1 });
const anyFilter = fc.record<ChunkFilter>(
  {
    startDate: time,
    endDate: time,
    sourceKind: fc.constantFrom(...SOURCE_KINDS),
    modelAlias: text,
    providerName: text,
    runtimePrincipalId: text,
    apiKeyId: fc.uuid(),
    flowId: fc.uuid(),
    sessionId: fc.uuid(),
    role: text,
    toolName: text,
    status: text,
    sessionSourceType: text,
  },
  { requiredKeys: [] },
);

describe('a stored filter', () => {
  it('survives a round trip through JSON', () => {
    fc.assert(
      fc.property(anyFilter, (filter) => {
        const read = readStoredFilter(JSON.parse(JSON.stringify(writeStoredFilter(filter))) as never);
        expect(JSON.stringify(writeStoredFilter(read))).toBe(JSON.stringify(writeStoredFilter(filter)));
        expect(read).toEqual(expect.objectContaining(filter));
      }),
    );
  });

  it('names only the set fields, in snake case', () => {
    const filter = { startDate: new Date('2026-11-01T00:00:00Z'), flowId: 'f', role: undefined };
    expect(writeStoredFilter(filter)).toEqual({ start_date: '2026-11-01T00:00:00.000Z', flow_id: 'f' });
  });
});
