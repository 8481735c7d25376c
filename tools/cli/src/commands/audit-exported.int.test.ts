import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { exportAudits, prepareAudit, pruneAudits, recordAudits, sealAudits, type ExportOutcome } from '@steward/audit';
import { newId } from '@steward/crypto';
import { APP_ROLES, type Database } from '@steward/database';
import { openClone, type Clone } from '@steward/database/testing';
import { createS3Store, type ObjectStore } from '@steward/storage';
import { startTestObjectStore, type TestObjectStore } from '@steward/testing';
import { runHere } from '../testing/run-here.ts';

const DAY_MS = 86_400_000;
let clone: Clone;
let database: Database;
let server: TestObjectStore;
let bucket: ObjectStore;
let prefix: string;
let folder: string;
beforeAll(async () => {
  clone = await openClone({ poolSize: 4 });
  database = clone.connectAs(APP_ROLES.apiGateway);
  server = await startTestObjectStore();
});
afterAll(async () => {
  await clone.close();
  await server.stop();
});
beforeEach(async () => {
  // Each test has its own log and its own objects.
  await clone.admin.pool.query('truncate gateway.audit_log, gateway.audit_seal, gateway.audit_unsealed cascade');
  await clone.admin.pool.query('truncate gateway.audit_export, gateway.audit_pruned');
  prefix = `${newId()}/`;
  bucket = openBucket();
  folder = mkdtempSync(join(tmpdir(), 'steward-audit-exported-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const openBucket = (secretAccessKey = server.secretAccessKey): ObjectStore =>
  createS3Store({
    endpoint: server.url,
    bucket: server.bucket,
    region: 'us-east-1',
    prefix,
    accessKeyId: server.accessKeyId,
    secretAccessKey,
    pathStyle: true,
    timeoutMs: 60_000,
    retryDelaysMs: [],
  });

/** Adds entries to the log of an account, in as many seals as there are numbers. */
async function record(accountId: string, seals: readonly number[], sealedAt = new Date()): Promise<void> {
  for (const entries of seals) {
    const rows = Array.from({ length: entries }, (_, at) =>
      prepareAudit({
        accountId,
        actor: { kind: 'user', id: newId() },
        source: 'console',
        action: 'update',
        resourceType: 'flow',
        resourceId: newId(),
        status: 'success',
        details: { at },
        occurredAt: sealedAt,
      }),
    );
    await recordAudits(database.db, rows);
    await sealAudits(database.db, { now: sealedAt, accountId });
  }
}

async function exportNow(to: Pick<ObjectStore, 'put' | 'open'> = bucket, db = database.db): Promise<ExportOutcome[]> {
  const outcomes: ExportOutcome[] = [];
  await exportAudits(db, { bucket: to, onOutcome: (outcome) => void outcomes.push(outcome) });
  return outcomes;
}

const listKeys = (accountId = ''): string[] =>
  server
    .listKeys()
    .filter((key) => key.startsWith(`${prefix}${accountId}`))
    .map((key) => key.slice(prefix.length))
    .sort();

/** Downloads the objects of an account, in the order of their keys, and verifies the files without the service. */
async function verify(accountId: string, keys = listKeys(accountId)): Promise<string> {
  const files: string[] = [];
  for (const [at, key] of keys.entries()) {
    const stored = await bucket.open(key);
    const path = join(folder, `${at}.ndjson`);
    writeFileSync(path, await buffer(stored!.stream));
    files.push(path);
  }
  return runHere('http://127.0.0.1:9', ['audit', 'verify', ...files]);
}

const named = (accountId: string, first: number, last: number) =>
  `${accountId}/${String(first).padStart(12, '0')}-${String(last).padStart(12, '0')}.ndjson`;

describe('the scheduled export of the audit log (ACC-53)', () => {
  it('stores the seals of every account in objects that verify as one log, without the service', async () => {
    const [one, other] = [newId(), newId()];
    await record(one, [2, 3]);
    await record(other, [1]);
    expect((await exportNow()).map(({ kind }) => kind)).toEqual(['stored', 'stored']);
    expect(await exportNow()).toEqual([]);
    await record(one, [4]);
    expect(await exportNow()).toEqual([{ kind: 'stored', key: named(one, 3, 3), entries: 4 }]);
    expect(listKeys()).toEqual([named(one, 1, 2), named(one, 3, 3), named(other, 1, 1)].sort());
    expect(await verify(one)).toMatch(/^9 entries: no entry was changed.*\nhead 3:/);
    expect(await verify(other)).toMatch(/^1 entry: no entry was changed/);
    expect(await verify(one, [named(one, 3, 3)])).toMatch(/pass the earlier exports/);
  });

  it('stores the same object again after a process that ended before it recorded that', async () => {
    const accountId = newId();
    await record(accountId, [2]);
    const ending: Pick<ObjectStore, 'put' | 'open'> = {
      open: bucket.open,
      put: async (request) => {
        await bucket.put(request);
        throw new Error('the process ended');
      },
    };
    expect((await exportNow(ending)).map(({ kind }) => kind)).toEqual(['failed']);
    // The next object would be larger; the first one is finished as it was planned.
    await record(accountId, [5]);
    expect((await exportNow()).map(({ kind }) => kind)).toEqual(['stored', 'stored']);
    expect(listKeys()).toEqual([named(accountId, 1, 1), named(accountId, 2, 2)]);
    expect(await verify(accountId)).toMatch(/^7 entries: no entry was changed/);
  });

  it('stores each object once when several processes export at the same time', async () => {
    const accountIds = Array.from({ length: 5 }, newId);
    for (const accountId of accountIds) await record(accountId, [1, 2]);
    const processes = [database, clone.connectAs(APP_ROLES.apiGateway), clone.connectAs(APP_ROLES.apiGateway)];
    const outcomes = (await Promise.all(processes.map(({ db }) => exportNow(bucket, db)))).flat();
    const keys = outcomes.map((outcome) => (outcome.kind === 'stored' ? outcome.key : outcome.kind));
    expect(keys.sort()).toEqual(accountIds.map((accountId) => named(accountId, 1, 2)).sort());
    for (const accountId of accountIds) expect(await verify(accountId)).toMatch(/^3 entries: no entry was changed/);
  });

  it('is complete only for a process that knows of no object that another one is still storing', async () => {
    const accountId = newId();
    await record(accountId, [1]);
    const isComplete = (to: Pick<ObjectStore, 'put' | 'open'>) =>
      exportAudits(database.db, { bucket: to, onOutcome: () => undefined });
    let beside: boolean | undefined;
    const failing: Pick<ObjectStore, 'put' | 'open'> = {
      open: bucket.open,
      put: async () => {
        beside = await isComplete(bucket);
        throw new Error('the server refused');
      },
    };
    expect(await isComplete(failing)).toBe(false);
    expect(beside).toBe(false);
    expect(listKeys()).toEqual([]);
    expect(await isComplete(bucket)).toBe(true);
    expect(listKeys()).toEqual([named(accountId, 1, 1)]);
  });

  it('replaces no object that has other content, and does not go on behind it', async () => {
    const accountId = newId();
    await record(accountId, [2]);
    const key = named(accountId, 1, 1);
    const path = join(folder, 'other');
    writeFileSync(path, 'other');
    const sha256 = 'd9298a10d1b0735837dc4bd85dac641b0f3cef27a47e5d53a54f2f3f5b2fcffa';
    await bucket.put({ key, path, sizeBytes: 5, sha256 });
    expect(await exportNow()).toEqual([{ kind: 'conflict', key }]);
    await record(accountId, [1]);
    expect(await exportNow()).toEqual([{ kind: 'conflict', key }]);
    expect(String(await buffer((await bucket.open(key))!.stream))).toBe('other');
    expect(listKeys()).toEqual([key]);
  });

  it('records nothing as exported if the server refuses the key, and tries again', async () => {
    const [one, other] = [newId(), newId()];
    await record(one, [1]);
    await record(other, [1]);
    const outcomes = await exportNow(openBucket('another-secret'));
    expect(outcomes.map((outcome) => (outcome.kind === 'failed' ? outcome.accountId : outcome.kind)).sort()).toEqual(
      [one, other].sort(),
    );
    expect(listKeys()).toEqual([]);
    expect((await exportNow()).map(({ kind }) => kind)).toEqual(['stored', 'stored']);
  });

  it('lets retention remove only what is exported, after which the objects still verify as one log', async () => {
    const accountId = newId();
    const now = new Date();
    const before = new Date(now.getTime() - 100 * DAY_MS);
    await record(accountId, [2], before);
    await exportNow();
    await record(accountId, [3], before);
    await record(accountId, [1]);
    const pruning = { now, retentionDays: 90, onlyExported: true };
    expect(await pruneAudits(database.db, pruning)).toBe(2);
    expect(await pruneAudits(database.db, pruning)).toBe(0);
    await sealAudits(database.db, { now, accountId });
    await exportNow();
    expect(await pruneAudits(database.db, pruning)).toBe(3);
    expect(await verify(accountId)).toMatch(/^7 entries: no entry was changed/);
  });

  it('begins after what retention had removed before, and says so', async () => {
    const accountId = newId();
    const now = new Date();
    await record(accountId, [2], new Date(now.getTime() - 100 * DAY_MS));
    await record(accountId, [1]);
    await pruneAudits(database.db, { now, retentionDays: 90 });
    await sealAudits(database.db, { now, accountId });
    await exportNow();
    expect(listKeys()).toEqual([named(accountId, 2, 3)]);
    expect(await verify(accountId)).toMatch(
      /^2 entries: .* Older entries deleted at the end of their retention period: 2\./,
    );
  });

  it('begins later if retention removed seals of an object that was planned and not stored', async () => {
    const accountId = newId();
    const now = new Date();
    const before = new Date(now.getTime() - 100 * DAY_MS);
    await record(accountId, [2], before);
    await record(accountId, [1]);
    expect((await exportNow(openBucket('another-secret'))).map(({ kind }) => kind)).toEqual(['failed']);
    // The export is switched off, so retention does not wait for it.
    expect(await pruneAudits(database.db, { now, retentionDays: 90 })).toBe(2);
    await sealAudits(database.db, { now, accountId });
    expect((await exportNow()).map(({ kind }) => kind)).toEqual(['stored']);
    expect(listKeys()).toEqual([named(accountId, 2, 3)]);
    expect(await verify(accountId)).toMatch(
      /^2 entries: .* Older entries deleted at the end of their retention period: 2\./,
    );
  });

  it('divides a long log into objects of a limited size', async () => {
    const accountId = newId();
    await clone.admin.pool.query(
      `insert into gateway.audit_seal (account_id, number, audit_ids, previous_digest, digest, sealed_at)
       select $1, number, array[gen_random_uuid()], sha256('a'), sha256('b'), now() from generate_series(1, 2500) number`,
      [accountId],
    );
    await exportNow();
    expect(listKeys()).toEqual([named(accountId, 1, 1000), named(accountId, 1001, 2000), named(accountId, 2001, 2500)]);
  });
});
