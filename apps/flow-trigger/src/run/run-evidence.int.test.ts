import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { sql } from 'kysely';
import { createSecretBox } from '@steward/crypto';
import { transact } from '@steward/database';
import { createEndpoint } from '@steward/slice-webhooks';
import { startTestWorker, type TestWorker } from '../testing/start-worker.ts';

describe('evidence of a run', () => {
  let worker: TestWorker;
  beforeAll(async () => {
    worker = await startTestWorker();
    const box = createSecretBox('a-secret-key-for-tests-only-0123456789', 'webhook-endpoint');
    // An event is written when somebody wants it.
    await transact({ db: worker.database.db, broker: { publishHint: () => undefined } }, (trx) =>
      createEndpoint(
        trx,
        { accountId: worker.accountId, url: 'https://receiver.example.test/', description: '', eventTypes: [] },
        box,
      ),
    );
  });
  afterAll(() => worker.stop());

  const readReceipt = async (execution: { id: string }) => {
    const { rows } = await sql<{ body: Buffer }>`
      select body from webhooks.event where type = 'flow.execution.finished'
        and convert_from(body, 'UTF8') like ${`%${execution.id}%`}
    `.execute(worker.database.db);
    return (JSON.parse(rows[0]?.body.toString('utf8') ?? '{}') as { data: { evidence_receipt?: unknown } }).data
      .evidence_receipt;
  };
  const run = async (command: string, paths: string[]) => {
    const flow = await worker.createFlow(command, { evidence: { enabled: true, paths } });
    return worker.waitForEnd((await worker.trigger(flow)).id);
  };

  it.each([
    ['succeeded', 'SUCCEEDED', 'mkdir out; echo report > out/report.txt'],
    ['failed', 'FAILED', 'mkdir out; echo report > out/report.txt; exit 1'],
  ])(
    'that %s is kept, and its receipt stands on the execution and in the event (EXEC-18, EXEC-19, EVT-11)',
    async (_how, status, command) => {
      const ended = await run(command, ['out', 'missing.txt']);
      const receipt = ended.evidence_receipt as { artifact_id: string; sha256: string };
      expect([ended.status, receipt]).toEqual([status, expect.objectContaining({ status: 'available' })]);
      expect(await readReceipt(ended)).toEqual(receipt);
      const archive = readFileSync(
        resolve(worker.evidenceDirectory, worker.accountId, `${receipt.artifact_id}.tar.gz`),
      );
      expect(createHash('sha256').update(archive).digest('hex')).toBe(receipt.sha256);
      expect(await worker.readLog(ended)).toContain('left out "missing.txt": missing');
    },
  );

  it('that left none has no receipt, neither here nor in the event (EXEC-19, EVT-11)', async () => {
    const ended = await run('true', ['out']);
    expect([ended.status, ended.evidence_receipt]).toEqual(['SUCCEEDED', null]);
    expect(await readReceipt(ended)).toBeUndefined();
    expect(await worker.readLog(ended)).toContain('no evidence was captured');
  });
});
