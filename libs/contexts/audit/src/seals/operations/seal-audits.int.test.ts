import fc from 'fast-check';
import { newId } from '@steward/crypto';
import { APP_ROLES, type Database } from '@steward/database';
import { openClone, type Clone } from '@steward/database/testing';
import { prepareAudit } from '../../operations/prepare-audit.ts';
import { recordAudits } from '../../store/audit-log.store.ts';
import { beginChain, extendChain } from '../rules/chain.ts';
import { presentEntry } from '../rules/present-entry.ts';
import { countUnsealed, findNextSeal, type SealedRows } from '../store/audit-seal.store.ts';
import { sealAudits } from './seal-audits.ts';

let clone: Clone;
let database: Database;
let other: Database;
beforeAll(async () => {
  clone = await openClone({ poolSize: 4 });
  database = clone.connectAs(APP_ROLES.apiGateway);
  other = clone.connectAs(APP_ROLES.apiGateway);
});
afterAll(() => clone.close());

const now = new Date('2026-11-28T12:00:00.000Z');
const prepare = (accountId: string, details: Readonly<Record<string, unknown>> = {}) =>
  prepareAudit({
    accountId,
    actor: { kind: 'user', id: newId() },
    source: 'console',
    action: 'update',
    resourceType: 'flow',
    resourceId: newId(),
    status: 'success',
    details,
  });

async function readSeals(accountId: string): Promise<SealedRows[]> {
  const seals: SealedRows[] = [];
  let found = await findNextSeal(database.db, { accountId, after: 0 });
  while (found !== undefined) {
    seals.push(found);
    found = await findNextSeal(database.db, { accountId, after: found.seal.number });
  }
  return seals;
}

function expectChain(accountId: string, seals: readonly SealedRows[]): void {
  let digest = beginChain(accountId);
  for (const [place, { seal, rows }] of seals.entries()) {
    expect(seal.number).toBe(place + 1);
    expect(seal.previous_digest).toEqual(digest);
    digest = extendChain(digest, rows.map(presentEntry));
    expect(seal.digest).toEqual(digest);
  }
}

describe('seals of the audit log (ACC-51)', () => {
  it('cover each row once, in one chain per account, for any order of writers and sealers', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('write' as const), account: fc.nat(2), rows: fc.integer({ min: 1, max: 5 }) }),
      fc.record({ kind: fc.constant('seal' as const), process: fc.nat(1), account: fc.option(fc.nat(2)) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 6 }), async (rounds) => {
        const accounts = [newId(), newId(), newId()] as const;
        const written = new Map<string, string[]>(accounts.map((account) => [account, []]));
        for (const round of rounds)
          await Promise.all(
            round.map(async (one) => {
              if (one.kind === 'seal') {
                const accountId = one.account === null ? undefined : accounts[one.account];
                await sealAudits((one.process === 0 ? database : other).db, { now, ...(accountId && { accountId }) });
                return;
              }
              const account = accounts[one.account] as string;
              const rows = Array.from({ length: one.rows }, (_, at) =>
                prepare(account, { at, 1.5: 1e21, ü: '\u2028' }),
              );
              written.get(account)?.push(...rows.map(({ id }) => id));
              await recordAudits(database.db, rows);
            }),
          );
        for (const accountId of accounts) {
          await sealAudits(database.db, { now, accountId });
          const seals = await readSeals(accountId);
          expect(seals.flatMap(({ rows }) => rows.map(({ id }) => id)).sort()).toEqual(written.get(accountId)?.sort());
          expect(await countUnsealed(database.db, accountId)).toEqual({ unsealed: 0, unknown: 0 });
          expectChain(accountId, seals);
        }
      }),
      { numRuns: 15 },
    );
  });

  it('include a row that commits late in a later seal', async () => {
    const accountId = newId();
    const [late, early] = [prepare(accountId), prepare(accountId)];
    const committed = Promise.withResolvers<undefined>();
    const written = Promise.withResolvers<undefined>();
    const transaction = other.db.transaction().execute(async (trx) => {
      await recordAudits(trx, [late]);
      written.resolve(undefined);
      await committed.promise;
    });
    await written.promise;
    await recordAudits(database.db, [early]);
    await sealAudits(database.db, { now, accountId });
    committed.resolve(undefined);
    await transaction;
    await sealAudits(database.db, { now, accountId });
    const seals = await readSeals(accountId);
    expect(seals.map(({ rows }) => rows.map(({ id }) => id))).toEqual([[early.id], [late.id]]);
    expectChain(accountId, seals);
  });

  it('cannot be changed or deleted by the service, which cannot exclude a row from sealing either', async () => {
    const accountId = newId();
    await recordAudits(database.db, [prepare(accountId)]);
    await sealAudits(database.db, { now, accountId });
    for (const statement of [
      'update gateway.audit_seal set number = 7',
      'delete from gateway.audit_seal',
      'insert into gateway.audit_unsealed select id, account_id from gateway.audit_log',
      'alter table gateway.audit_log disable trigger audit_log_queue_seal',
    ])
      await expect(database.pool.query(statement)).rejects.toThrow(/permission denied|must be owner/);
  });
});
