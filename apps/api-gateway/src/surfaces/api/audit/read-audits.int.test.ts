import { newId } from '@steward/crypto';
import { APP_ROLES, type Database } from '@steward/database';
import { openClone, type Clone } from '@steward/database/testing';
import type { AuditRecord } from '@steward/http';
import { createLogger } from '@steward/process';
import { listAuditLog, READ_WINDOW_MS } from '@steward/audit';
import { captureOutput, eventually } from '@steward/testing';
import { createReadAudits, type ReadAudits } from '@steward/api';

const LONG = 3_600_000;
const logged = captureOutput();

let clone: Clone;
let database: Database;
let now: Date;
beforeAll(async () => {
  clone = await openClone();
  database = clone.connectAs(APP_ROLES.apiGateway);
});
beforeEach(() => (now = new Date('2026-11-22T12:00:00.000Z')));
afterAll(() => clone.close());

const create = (countAfterMs = LONG): ReadAudits => {
  const logger = createLogger({ service: 'test', level: 'warn', pretty: false });
  const clock = { now: () => now };
  return createReadAudits({ auditDb: database.db, clock, logger }, countAfterMs);
};
const record = (accountId: string, resourceId = 'a session'): AuditRecord => ({
  accountId,
  actor: { kind: 'user', id: 'dana' },
  source: 'console',
  action: 'read',
  resourceType: 'runtime_session',
  resourceId,
  status: 'success',
  details: { what: 'timeline' },
  requestId: newId(),
});
const readCounts = async (accountId: string): Promise<unknown[]> =>
  (await listAuditLog(database.db, { accountId, limit: 200 })).map(({ details }) => details['reads']);

it('records the first read in ten minutes before responding, and writes nothing for later reads (ACC-43)', async () => {
  const audits = create();
  const accountId = newId();
  await Promise.all(Array.from({ length: 50 }, () => audits.note(record(accountId))));
  expect(await readCounts(accountId)).toEqual([1]);
  const admin = clone.admin;
  const count = async () =>
    (await admin.pool.query<{ calls: number }>('select count(*)::int as calls from gateway.audit_log')).rows[0]?.calls;
  const before = await count();
  await audits.note(record(accountId));
  expect(await count()).toBe(before);
  await audits.stop?.();
  expect(await readCounts(accountId)).toEqual([51]);
});

it('adds one more row for readers who continue after ten minutes, even under simultaneous requests', async () => {
  const audits = create();
  const accountId = newId();
  await audits.note(record(accountId));
  now = new Date(now.getTime() + READ_WINDOW_MS);
  await Promise.all(Array.from({ length: 20 }, () => audits.note(record(accountId))));
  await audits.stop?.();
  expect(await readCounts(accountId)).toEqual([20, 1]);
});

it('writes counts periodically, and for several processes together', async () => {
  const accountId = newId();
  const processes = [create(20), create(20)];
  await Promise.all(Array.from({ length: 10 }, (_, at) => processes[at % 2]?.note(record(accountId))));
  await eventually(async () => (await readCounts(accountId))[0] === 10);
  expect(await readCounts(accountId)).toEqual([10]);
});

it('serves a read that cannot be recorded, logs the failure, and retries at the next read', async () => {
  const audits = create();
  const accountId = newId();
  const unlogged = record(accountId);
  await clone.admin.pool.query('revoke insert on gateway.audit_log from steward_api_gateway');
  await Promise.all([audits.note(unlogged), audits.note(record(accountId, 'another'))]);
  await clone.admin.pool.query('grant insert on gateway.audit_log to steward_api_gateway');
  expect(await readCounts(accountId)).toEqual([]);
  const lines = logged()
    .split('\n')
    .filter((line) => line.includes('audit.read_failed'));
  expect(lines).toHaveLength(2);
  expect(lines.some((line) => line.includes(unlogged.requestId))).toBe(true);
  await audits.note(record(accountId));
  expect(await readCounts(accountId)).toEqual([1]);
});

it('retains counts that cannot be written, and writes them later', async () => {
  const audits = create();
  const accountId = newId();
  await audits.note(record(accountId));
  await audits.note(record(accountId));
  await clone.admin.pool.query('revoke insert on gateway.audit_read_count from steward_api_gateway');
  await audits.stop?.();
  await clone.admin.pool.query('grant insert on gateway.audit_read_count to steward_api_gateway');
  await audits.note(record(accountId));
  await audits.stop?.();
  expect(await readCounts(accountId)).toEqual([3]);
});
