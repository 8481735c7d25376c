import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { useEvents } from '../testing/use-events.ts';
import { useWorker } from '../testing/use-worker.ts';

describe('evidence of a run', () => {
  const worker = useWorker();
  const readEvents = useEvents(worker);

  const readReceipt = async (execution: { readonly id: string }) => {
    const [event] = await readEvents('flow.execution.finished', execution);
    return event?.data.evidence_receipt;
  };
  const run = async (command: string, paths: string[]) => {
    const flow = await worker().createFlow(command, { evidence: { enabled: true, paths } });
    return worker().waitForEnd((await worker().trigger(flow)).id);
  };

  it.each([
    ['succeeded', 'SUCCEEDED', 'mkdir out; echo report > out/report.txt'],
    ['failed', 'FAILED', 'mkdir out; echo report > out/report.txt; exit 1'],
  ])(
    'that %s is stored, and its receipt is part of the execution and of the event (EXEC-18, EXEC-19, EVT-11)',
    async (_how, status, command) => {
      const ended = await run(command, ['out', 'missing.txt']);
      const receipt = ended.evidence_receipt as { artifact_id: string; sha256: string };
      expect([ended.status, receipt]).toEqual([status, expect.objectContaining({ status: 'available' })]);
      expect(await readReceipt(ended)).toEqual(receipt);
      const archive = readFileSync(
        resolve(worker().evidenceDirectory, worker().accountId, `${receipt.artifact_id}.tar.gz`),
      );
      expect(createHash('sha256').update(archive).digest('hex')).toBe(receipt.sha256);
      expect(await worker().readLog(ended)).toContain('left out "missing.txt": missing');
    },
  );

  it('without files has no receipt in either the execution or the event (EXEC-19, EVT-11)', async () => {
    const ended = await run('true', ['out']);
    expect([ended.status, ended.evidence_receipt]).toEqual(['SUCCEEDED', null]);
    expect(await readReceipt(ended)).toBeUndefined();
    expect(await worker().readLog(ended)).toContain('no evidence was captured');
  });
});
