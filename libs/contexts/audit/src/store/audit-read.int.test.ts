import fc from 'fast-check';
import { newId } from '@steward/crypto';
import { APP_ROLES, type Database } from '@steward/database';
import { openClone, type Clone } from '@steward/database/testing';
import { prepareAudit, type AuditEntry } from '../operations/prepare-audit.ts';
import { identifyRead, READ_WINDOW_MS, type PreparedRead } from '../operations/prepare-read.ts';
import { listAuditLog } from './audit-log.store.ts';
import { countReads, purgeReadWindows, recordReads } from './audit-read.store.ts';

let clone: Clone;
let database: Database;
beforeAll(async () => {
  clone = await openClone({ poolSize: 8 });
  database = clone.connectAs(APP_ROLES.apiGateway);
});
afterAll(() => clone.close());

const NOON = new Date('2026-11-22T12:00:00.000Z');
const after = (ms: number): Date => new Date(NOON.getTime() + ms);
function prepareRead(fields: Partial<AuditEntry> & Pick<AuditEntry, 'accountId'>): PreparedRead {
  const row = prepareAudit({
    actor: { kind: 'user', id: 'dana' },
    source: 'console',
    action: 'read',
    resourceType: 'runtime_session',
    resourceId: 'a session',
    status: 'success',
    details: { what: 'timeline' },
    requestId: newId(),
    occurredAt: NOON,
    ...fields,
  });
  return { row, reader: identifyRead(row) };
}
const list = (accountId: string) => listAuditLog(database.db, { accountId, limit: 200 });

describe('reads of one reader (ACC-43)', () => {
  it('are recorded in one row within ten minutes of the first read, and in another one after that', async () => {
    const accountId = newId();
    const offsets = [0, 1, READ_WINDOW_MS - 1, READ_WINDOW_MS, READ_WINDOW_MS + 1];
    for (const ms of offsets) await recordReads(database.db, [prepareRead({ accountId, occurredAt: after(ms) })]);
    expect(await list(accountId)).toMatchObject([
      {
        occurred_at: after(READ_WINDOW_MS),
        details: { what: 'timeline', reads: 2, last_read_at: after(READ_WINDOW_MS + 1) },
      },
      { occurred_at: NOON, details: { what: 'timeline', reads: 3, last_read_at: after(READ_WINDOW_MS - 1) } },
    ]);
  });

  it('are recorded in one row with their number, even by many processes at once', async () => {
    const accountId = newId();
    const sessions = ['one', 'two', 'three'];
    const reads = sessions.map((resourceId) => () => prepareRead({ accountId, resourceId }));
    // The order of the reads varies between the calls.
    const opened = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        recordReads(
          database.db,
          [...reads.slice(at % 3), ...reads.slice(0, at % 3)].map((prepare) => prepare()),
        ),
      ),
    );
    expect(new Set(opened.flat().map(({ auditId }) => auditId)).size).toBe(3);
    expect((await list(accountId)).map(({ details }) => details['reads'])).toEqual([12, 12, 12]);
  });

  it('are recorded in separate rows if any field differs, except for time and request', async () => {
    const change: fc.Arbitrary<Partial<AuditEntry>> = fc.constantFrom<Partial<AuditEntry>>(
      {},
      { requestId: 'another', occurredAt: after(1) },
      { actor: { kind: 'api_key', id: 'dana' } },
      { actor: { kind: 'user', id: 'erin' } },
      { source: 'mcp' },
      { action: 'query' },
      { resourceType: 'flow_execution' },
      { resourceId: null },
      { status: 'denied' },
      { details: { what: 'export' } },
      { details: { what: 'timeline', key_of: 'x' } },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
        const accountId = newId();
        for (const fields of changes) await recordReads(database.db, [prepareRead({ accountId, ...fields })]);
        const rows = await list(accountId);
        const different = new Set(changes.map(({ requestId: _r, occurredAt: _o, ...rest }) => JSON.stringify(rest)));
        expect(rows).toHaveLength(different.size);
        expect(rows.reduce((sum, { details }) => sum + Number(details['reads']), 0)).toBe(changes.length);
      }),
      { numRuns: 25 },
    );
  });

  it('are recorded separately for each account', async () => {
    const [one, other] = [newId(), newId()];
    await recordReads(database.db, [prepareRead({ accountId: one }), prepareRead({ accountId: other })]);
    expect([await list(one), await list(other)]).toMatchObject([[{ account_id: one }], [{ account_id: other }]]);
  });

  it('that are retried because the outcome is unknown create one row', async () => {
    const accountId = newId();
    const read = prepareRead({ accountId });
    await recordReads(database.db, [read]);
    await recordReads(database.db, [read]);
    expect(await list(accountId)).toHaveLength(1);
  });

  it('are counted later, with many rows at once by many processes', async () => {
    const accountId = newId();
    const prepared = Array.from({ length: 20 }, (_, at) => prepareRead({ accountId, resourceId: String(at) }));
    const opened = await recordReads(database.db, prepared);
    const counts = opened.map(({ auditId }) => ({ auditId, reads: 2, lastReadAt: after(60_000) }));
    await Promise.all(
      Array.from({ length: 6 }, (_, at) => countReads(database.db, at % 2 === 0 ? counts : [...counts].reverse())),
    );
    await countReads(
      database.db,
      counts.slice(0, 1).map((count) => ({ ...count, lastReadAt: after(1) })),
    );
    const rows = await list(accountId);
    expect(rows.map(({ details }) => details['reads']).sort()).toEqual([...Array<number>(19).fill(13), 15]);
    expect(new Set(rows.map(({ details }) => String(details['last_read_at'])))).toEqual(
      new Set([String(after(60_000))]),
    );
    await countReads(database.db, []);
  });
});

describe('the data that is stored together with the rows', () => {
  it('is deleted after ten minutes, but the rows are retained', async () => {
    const accountId = newId();
    const long = 10 * READ_WINDOW_MS;
    await recordReads(database.db, [prepareRead({ accountId })]);
    await recordReads(database.db, [prepareRead({ accountId, resourceId: 'later', occurredAt: after(long) })]);
    expect(await purgeReadWindows(database.db, after(long))).toBeGreaterThan(0);
    expect((await list(accountId)).map(({ details }) => details['reads'])).toEqual([1, 1]);
    await recordReads(database.db, [prepareRead({ accountId, resourceId: 'later', occurredAt: after(long + 1) })]);
    expect((await list(accountId)).map(({ details }) => details['reads']).sort()).toEqual([1, 2]);
  });

  it.each(['delete from gateway.audit_read_count', 'truncate gateway.audit_read_count'])(
    'the service cannot %s',
    async (statement) => {
      await expect(database.pool.query(statement)).rejects.toThrow(/permission denied/);
    },
  );
});
