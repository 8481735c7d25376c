import fc from 'fast-check';
import { newId } from '@steward/crypto';
import { APP_ROLES, type AnyTransaction, type Database } from '@steward/database';
import { openClone, type Clone } from '@steward/database/testing';
import type { AuditStatus } from '../schema.ts';
import { listAuditLog, recordAudits, type AuditFilter } from '../store/audit-log.store.ts';
import { prepareAudit, type AuditEntry } from './prepare-audit.ts';
import { recordAudit } from './record-audit.ts';

let clone: Clone;
let database: Database;
let worker: Database;
beforeAll(async () => {
  clone = await openClone({ poolSize: 5 });
  database = clone.connectAs(APP_ROLES.apiGateway);
  worker = clone.connectAs(APP_ROLES.flowTrigger);
});
afterAll(() => clone.close());

const NOON = new Date('2026-11-22T12:00:00.000Z');
const after = (ms: number) => new Date(NOON.getTime() + ms);
const entry = (accountId: string, fields: Partial<AuditEntry> = {}): AuditEntry => ({
  accountId,
  actor: { kind: 'user', id: newId() },
  source: 'console',
  action: 'update',
  resourceType: 'flow',
  resourceId: newId(),
  status: 'success',
  occurredAt: NOON,
  ...fields,
});
const record = (accountId: string, fields: Partial<AuditEntry> = {}) =>
  recordAudit(database.db, entry(accountId, fields));
const list = (accountId: string, filter: Partial<AuditFilter> = {}) =>
  listAuditLog(database.db, { accountId, limit: 200, ...filter });
const transact = <T>(work: (trx: AnyTransaction) => Promise<T>): Promise<T> => database.db.transaction().execute(work);

describe('a row of the audit log (ACC-33)', () => {
  it('contains who did what to which resource, with which outcome', async () => {
    const accountId = newId();
    const given = entry(accountId, {
      actor: { kind: 'api_key', id: 'key-1' },
      source: 'webhook',
      status: 'denied',
      details: { role: 'viewer', nested: { list: [1, null, true] } },
      requestId: 'request-1',
    });
    await recordAudit(database.db, given);
    const [row] = await list(accountId);
    expect(row).toEqual({
      id: expect.stringMatching(/^[\da-f-]{36}$/) as unknown,
      account_id: accountId,
      occurred_at: NOON,
      actor_kind: 'api_key',
      actor_id: 'key-1',
      source: 'webhook',
      action: 'update',
      resource_type: 'flow',
      resource_id: given.resourceId,
      status: 'denied',
      details: given.details,
      request_id: 'request-1',
    });
  });

  it('defaults to the current time, without details or a request id', () => {
    const { occurredAt: _, ...given } = entry(newId());
    const before = Date.now();
    const row = prepareAudit(given);
    expect(row).toMatchObject({ details: {}, request_id: null });
    expect(row.occurred_at.getTime()).toBeGreaterThanOrEqual(before);
    expect(prepareAudit(given).id).not.toBe(row.id);
  });

  it('is committed or rolled back with the recorded change', async () => {
    const accountId = newId();
    const failing = transact(async (trx) => {
      await recordAudit(trx, entry(accountId));
      throw new Error('fault after the row');
    });
    await expect(failing).rejects.toThrow('fault after the row');
    expect(await list(accountId)).toEqual([]);
    await transact((trx) => recordAudit(trx, entry(accountId)));
    expect(await list(accountId)).toHaveLength(1);
  });

  it.each<[string, Partial<Record<keyof AuditEntry, unknown>>]>([
    ['an actor', { actor: { kind: 'ghost', id: null } }],
    ['a source', { source: 'elsewhere' }],
    ['a status', { status: 'maybe' }],
  ])('with an invalid %s is refused by the database', async (_case, fields) => {
    await expect(record(newId(), fields as Partial<AuditEntry>)).rejects.toThrow(/check constraint/);
  });

  it('stores any text and any JSON, with unstorable characters as U+FFFD (API-7)', async () => {
    const accountId = newId();
    const odd = fc.string({ unit: 'binary', maxLength: 40 });
    const storable = (text: string) => text.toWellFormed().replaceAll('\u0000', '\uFFFD');
    await fc.assert(
      fc.asyncProperty(odd, odd, odd, async (action, resourceId, detail) => {
        const details = { [`k${detail}`]: [detail], back: '\\u0000 \\ud800' };
        await record(accountId, { action, resourceId, details });
        const [row] = await list(accountId, { limit: 1 });
        expect([row?.action, row?.resource_id]).toEqual([storable(action), storable(resourceId)]);
        expect(row?.details).toEqual({ [storable(`k${detail}`)]: [storable(detail)], back: '\\u0000 \\ud800' });
      }),
      { numRuns: 40 },
    );
  });

  it('can be large', async () => {
    const accountId = newId();
    const details = { text: 'x'.repeat(300_000), list: Array.from({ length: 5000 }, (_, index) => index) };
    await record(accountId, { details });
    expect((await list(accountId))[0]?.details).toEqual(details);
  });
});

describe('writing many rows at once', () => {
  it('writes them together, and only once even if they are repeated', async () => {
    const accountId = newId();
    const rows = Array.from({ length: 250 }, () => prepareAudit(entry(accountId)));
    await recordAudits(database.db, rows);
    await recordAudits(database.db, [...rows, prepareAudit(entry(accountId))]);
    await recordAudits(database.db, [rows[0]!, rows[0]!]);
    expect(await list(accountId, { limit: 500 })).toHaveLength(251);
  });

  it('stores each row once, even if several processes write at once', async () => {
    const accountId = newId();
    const rows = Array.from({ length: 20 }, () => prepareAudit(entry(accountId)));
    await Promise.all(Array.from({ length: 5 }, () => recordAudits(database.db, rows)));
    expect((await list(accountId)).map(({ id }) => id).sort()).toEqual(rows.map(({ id }) => id).sort());
  });

  it('refuses all of them if one is refused', async () => {
    const accountId = newId();
    const rows = [entry(accountId), entry(accountId, { status: 'maybe' as AuditStatus })].map(prepareAudit);
    await expect(recordAudits(database.db, rows)).rejects.toThrow(/status_check/);
    expect(await list(accountId)).toEqual([]);
  });

  it('accepts an empty list', async () => {
    await expect(recordAudits(database.db, [])).resolves.toBeUndefined();
  });
});

describe('the audit log is permanent', () => {
  it.each([
    `update gateway.audit_log set action = 'nothing'`,
    'delete from gateway.audit_log',
    'truncate gateway.audit_log',
  ])('the service cannot %s', async (statement) => {
    await record(newId());
    await expect(database.pool.query(statement)).rejects.toThrow(/permission denied/);
  });

  it('an existing row is not replaced by another one with its id', async () => {
    const accountId = newId();
    const row = prepareAudit(entry(accountId));
    await recordAudits(database.db, [row]);
    await recordAudits(database.db, [{ ...row, action: 'forged', account_id: newId() }]);
    expect(await list(accountId)).toMatchObject([{ id: row.id, action: 'update' }]);
  });

  it('a flow worker can neither read nor write the log', async () => {
    await expect(recordAudit(worker.db, entry(newId()))).rejects.toThrow(/permission denied/);
    await expect(listAuditLog(worker.db, { accountId: newId(), limit: 1 })).rejects.toThrow(/permission denied/);
  });
});

describe('reading the log (ACC-34)', () => {
  const accountId = newId();
  const ACTIONS = ['create', 'update', 'delete'];
  const TYPES = ['flow', 'user'] as const;
  const STATUSES = ['success', 'denied', 'failure'] as const;
  beforeAll(async () => {
    await recordAudits(
      database.db,
      Array.from({ length: 60 }, (_, index) =>
        prepareAudit(
          entry(accountId, {
            action: ACTIONS[index % 3]!,
            resourceType: TYPES[index % 2]!,
            status: STATUSES[(index >> 1) % 3]!,
            // The times are not in the order of the ids, as if two gateways wrote at once.
            occurredAt: after((index * 7) % 60),
          }),
        ),
      ),
    );
    await record(newId());
  });

  it('returns the rows that match every filter, newest first, page by page', async () => {
    const all = await list(accountId, { limit: 100 });
    expect(all.map(({ id }) => id)).toEqual([...all.map(({ id }) => id)].sort().reverse());
    const moment = fc.integer({ min: -1, max: 61 }).map(after);
    const choice = fc.record(
      {
        action: fc.constantFrom(...ACTIONS, 'nothing'),
        resourceType: fc.constantFrom(...TYPES),
        status: fc.constantFrom(...STATUSES),
        since: moment,
        until: moment,
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(choice, fc.integer({ min: 1, max: 25 }), async (filter, limit) => {
        const expected = all.filter(
          (row) =>
            (filter.action === undefined || row.action === filter.action) &&
            (filter.resourceType === undefined || row.resource_type === filter.resourceType) &&
            (filter.status === undefined || row.status === filter.status) &&
            (filter.since === undefined || row.occurred_at >= filter.since) &&
            (filter.until === undefined || row.occurred_at < filter.until),
        );
        const seen: string[] = [];
        for (let beforeId: string | undefined; ;) {
          const page = await list(accountId, { ...filter, limit, beforeId });
          seen.push(...page.slice(0, limit).map(({ id }) => id));
          if (page.length <= limit) break;
          expect(page).toHaveLength(limit + 1);
          beforeId = seen.at(-1);
        }
        expect(seen).toEqual(expected.map(({ id }) => id));
      }),
      { numRuns: 40 },
    );
  });

  it('includes the start of the range and excludes its end', async () => {
    const at = (filter: Partial<AuditFilter>) =>
      list(accountId, filter).then((rows) => rows.map(({ occurred_at }) => occurred_at.getTime() - NOON.getTime()));
    expect(await at({ since: after(59) })).toEqual([59]);
    expect(await at({ until: after(1) })).toEqual([0]);
    expect(await at({ since: after(5), until: after(5) })).toEqual([]);
    expect(await at({ since: after(6), until: after(5) })).toEqual([]);
  });

  it('continues from its position even if rows are added meanwhile (API-11)', async () => {
    const own = newId();
    for (let index = 0; index < 4; index += 1) await record(own);
    const first = await list(own, { limit: 2 });
    await record(own);
    const rest = await list(own, { limit: 10, beforeId: first[1]!.id });
    expect(rest).toHaveLength(2);
    expect(rest[0]).toEqual(first[2]);
  });

  it('never shows rows of another account, with any cursor (API-10)', async () => {
    const [newest] = await list(accountId, { limit: 1 });
    expect(await list(newId(), { beforeId: newest!.id })).toEqual([]);
    expect(await list(newId())).toEqual([]);
  });

  it.each([`update' or 'x' = 'x`, '%', 'UPDATE', 'updat', ''])('treats %j as a name, not a pattern', async (action) => {
    expect(await list(accountId, { action })).toEqual([]);
  });
});
