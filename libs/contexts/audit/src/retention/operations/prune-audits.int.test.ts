import { newId } from '@steward/crypto';
import { APP_ROLES, type Database } from '@steward/database';
import { openClone, type Clone } from '@steward/database/testing';
import { prepareAudit } from '../../operations/prepare-audit.ts';
import { sealAudits } from '../../seals/operations/seal-audits.ts';
import { beginChain, extendChain } from '../../seals/rules/chain.ts';
import { presentEntry } from '../../seals/rules/present-entry.ts';
import { readSeals } from '../../seals/operations/read-seals.ts';
import { countUnsealed } from '../../seals/store/audit-seal.store.ts';
import { listAuditLog, recordAudits } from '../../store/audit-log.store.ts';
import { countReads } from '../../store/audit-read.store.ts';
import { findPruned } from '../store/audit-pruned.store.ts';
import { pruneAudits } from './prune-audits.ts';

let clone: Clone;
let database: Database;
let other: Database;
beforeAll(async () => {
  clone = await openClone({ poolSize: 4 });
  database = clone.connectAs(APP_ROLES.apiGateway);
  other = clone.connectAs(APP_ROLES.apiGateway);
});
afterAll(() => clone.close());

const DAY_MS = 86_400_000;
const now = new Date();
const daysAgo = (days: number): Date => new Date(now.getTime() - days * DAY_MS);
const prune = (retentionDays = 90, { db } = database) => pruneAudits(db, { now, retentionDays });

/**
 * Writes rows dated some days ago and seals them, with a different date of the seal if one is given; returns their ids.
 */
async function record(accountId: string, days: number, rows = 1, sealedDays = days): Promise<string[]> {
  const occurredAt = daysAgo(days);
  const prepared = Array.from({ length: rows }, (_, at) =>
    prepareAudit({
      accountId,
      actor: { kind: 'user', id: newId() },
      source: 'console',
      action: 'update',
      resourceType: 'flow',
      resourceId: newId(),
      status: 'success',
      details: { at },
      occurredAt,
    }),
  );
  await recordAudits(database.db, prepared);
  await sealAudits(database.db, { now: daysAgo(sealedDays), accountId });
  return prepared.map(({ id }) => id);
}

async function list(accountId: string): Promise<{ readonly id: string; readonly action: string }[]> {
  const rows = await listAuditLog(database.db, { accountId, limit: 10_000 });
  return rows.map(({ id, action }) => ({ id, action })).reverse();
}
const actions = async (accountId: string) => (await list(accountId)).map(({ action }) => action);

/** Checks that the remaining seals continue the chain of the removed ones. */
async function expectChain(accountId: string): Promise<void> {
  await sealAudits(database.db, { now, accountId });
  const pruned = await findPruned(database.db, accountId);
  let after = pruned?.number ?? 0;
  let digest = pruned?.digest ?? beginChain(accountId);
  for await (const { seal, rows } of readSeals(database.db, { accountId, after })) {
    expect([seal.number, seal.previous_digest.toString('hex')]).toEqual([after + 1, digest.toString('hex')]);
    expect(seal.audit_ids).toHaveLength(rows.length);
    digest = extendChain(digest, rows.map(presentEntry));
    expect(seal.digest).toEqual(digest);
    after = seal.number;
  }
  expect(await countUnsealed(database.db, accountId)).toEqual({ unsealed: 0, unknown: 0 });
}

describe('retention of the audit log (ACC-52)', () => {
  it('removes whole seals that are older than the limit, and adds an entry about the removal', async () => {
    const accountId = newId();
    await record(accountId, 100, 3);
    const [counted = ''] = await record(accountId, 91, 2);
    await countReads(database.db, [{ auditId: counted, reads: 2, lastReadAt: now }]);
    const kept = [...(await record(accountId, 89, 2)), ...(await record(accountId, 1))];
    await prune();
    const left = await list(accountId);
    expect(left.slice(0, 3).map(({ id }) => id)).toEqual(kept);
    const pruned = await findPruned(database.db, accountId);
    expect(pruned).toMatchObject({ number: 2, entries: 5 });
    const [entry] = await listAuditLog(database.db, { accountId, limit: 1 });
    expect(entry).toMatchObject({
      actor_kind: 'system',
      action: 'prune',
      resource_type: 'audit_log',
      details: { seals: 2, entries: 5, last_seal: 2, digest: pruned?.digest.toString('hex'), retention_days: 90 },
    });
    const { rows } = await clone.admin.pool.query('select from gateway.audit_read_count where audit_id = $1', [
      counted,
    ]);
    expect(rows).toEqual([]);
    await expectChain(accountId);
  });

  it('retains the newest seal of an account, whatever its age', async () => {
    const accountId = newId();
    await record(accountId, 400);
    await record(accountId, 300);
    await prune();
    expect(await actions(accountId)).toEqual(['update', 'prune']);
    await expectChain(accountId);
  });

  it('removes many seals in batches, and reports the total number of removed rows', async () => {
    const accountId = newId();
    for (let days = 130; days > 95; days -= 1) await record(accountId, days, 2);
    await record(accountId, 1);
    await prune();
    expect(await findPruned(database.db, accountId)).toMatchObject({ number: 35, entries: 70 });
    expect(await actions(accountId)).toEqual(['update', 'prune']);
    await expectChain(accountId);
  });

  it('removes at most 10,000 entries in one transaction, and a little more if a seal exceeds that', async () => {
    const accountId = newId();
    for (let days = 112; days > 100; days -= 1) await record(accountId, days, 999);
    await record(accountId, 1);
    await prune();
    expect(await findPruned(database.db, accountId)).toMatchObject({ number: 12, entries: 12 * 999 });
    const removals = (await listAuditLog(database.db, { accountId, limit: 10 })).filter(
      ({ action }) => action === 'prune',
    );
    expect(removals.map(({ details }) => details.entries).sort()).toEqual([11 * 999, 999].sort());
    await expectChain(accountId);
  });

  it('does not remove its own entries from an account that has no other entries', async () => {
    const accountId = newId();
    await record(accountId, 200);
    await record(accountId, 150);
    await pruneAudits(database.db, { now: daysAgo(59), retentionDays: 90 });
    await sealAudits(database.db, { now: daysAgo(59), accountId });
    await prune(30);
    await sealAudits(database.db, { now: daysAgo(40), accountId });
    const settled = await actions(accountId);
    await prune(30);
    expect(await actions(accountId)).toEqual(settled);
  });

  it('aborts a concurrent read of removed seals, without reporting tampering', async () => {
    const accountId = newId();
    for (const days of [120, 110, 100]) await record(accountId, days);
    await record(accountId, 1);
    const [slow, quick] = [0, 2].map((after) => readSeals(database.db, { accountId, after }));
    expect((await slow?.next())?.value).toMatchObject({ seal: { number: 1 } });
    expect((await quick?.next())?.value).toMatchObject({ seal: { number: 3 } });
    await prune();
    await expect(slow?.next()).rejects.toThrow('retention removed the seals up to 3 while those after 1 were read');
    expect((await quick?.next())?.value).toMatchObject({ seal: { number: 4 } });
  });

  it('is done once, however many processes do it', async () => {
    const accountId = newId();
    for (let days = 130; days > 100; days -= 1) await record(accountId, days);
    await record(accountId, 1);
    await Promise.all([prune(90), prune(90, other), prune(90), prune(90, other)]);
    await prune();
    expect(await findPruned(database.db, accountId)).toMatchObject({ number: 30, entries: 30 });
    await expectChain(accountId);
  });

  it('is the only operation that can remove entries: not of the last 30 days, and not by the service itself', async () => {
    const accountId = newId();
    await record(accountId, 20);
    await record(accountId, 10);
    const call = 'select from gateway.prune_audits($1, $2, 10)';
    for (const cutoff of [daysAgo(29), null])
      await expect(database.pool.query(call, [accountId, cutoff])).rejects.toThrow('the last 30 days');
    for (const table of ['audit_log', 'audit_seal', 'audit_pruned'])
      await expect(database.pool.query(`delete from gateway.${table}`)).rejects.toThrow(/permission denied/);
    await expect(database.pool.query('update gateway.audit_pruned set entries = 0')).rejects.toThrow(
      /permission denied/,
    );
  });

  it('retains entries of the last 30 days under a seal with a false time, and those of other accounts', async () => {
    const [accountId, stranger] = [newId(), newId()];
    const ids = [...(await record(accountId, 10, 1, 400)), ...(await record(accountId, 9, 1, 399))];
    await record(accountId, 8);
    for (const number of [1, 2])
      await database.pool.query(
        `insert into gateway.audit_seal (account_id, number, audit_ids, previous_digest, digest, sealed_at)
         values ($1, $2, $3, $4, $4, $5)`,
        [stranger, number, ids, Buffer.alloc(32), daysAgo(400)],
      );
    await prune();
    await database.pool.query('select from gateway.prune_audits($1, $2, 10)', [stranger, daysAgo(31)]);
    expect((await list(accountId)).map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
    await expectChain(accountId);
  });

  it('continues with other accounts when one fails, and reports the failure at the end', async () => {
    const accounts = [newId(), newId(), newId()].toSorted();
    for (const accountId of accounts) {
      await record(accountId, 200);
      await record(accountId, 1);
    }
    await clone.admin.pool.query(
      `insert into gateway.audit_pruned (account_id, number, digest, entries, pruned_at)
       values ($1, 1, $2, 9223372036854775807, now())`,
      [accounts[1], Buffer.alloc(32)],
    );
    await expect(prune()).rejects.toThrow('out of range');
    for (const accountId of [accounts[0], accounts[2]])
      expect(await actions(accountId as string)).toEqual(['update', 'prune']);
    await clone.admin.pool.query('delete from gateway.audit_seal where account_id = $1', [accounts[1]]);
  });
});
