import { createHash } from 'node:crypto';
import { createS3Store } from '@steward/storage';
import { startTestObjectStore, type TestObjectStore } from '@steward/testing';
import { buffer } from 'node:stream/consumers';
import { startTestWorker, type TestWorker } from '../testing/start-worker.ts';

describe('evidence stored in a bucket', () => {
  let server: TestObjectStore;
  let worker: TestWorker;
  beforeAll(async () => {
    server = await startTestObjectStore();
    worker = await startTestWorker(server.evidence);
  });
  afterAll(() => worker.stop());

  const run = async () => {
    const flow = await worker.createFlow('echo report > report.txt', {
      evidence: { enabled: true, paths: ['report.txt'] },
    });
    return worker.waitForEnd((await worker.trigger(flow)).id);
  };

  it('is stored before its receipt, with the digest stated in the receipt', async () => {
    const { evidence_receipt: found } = await run();
    const receipt = found as { artifact_id: string; sha256: string; size_bytes: number };
    expect(receipt).toMatchObject({
      status: 'available',
      transport: 's3',
      integrity_verified: true,
      object_lock: false,
    });
    const key = `steward/${worker.accountId}/${receipt.artifact_id}.tar.gz`;
    expect(server.listKeys()).toEqual([key]);
    const { url: endpoint, bucket, accessKeyId, secretAccessKey } = server;
    const place = { endpoint, bucket, prefix: '', region: 'us-east-1', pathStyle: true, timeoutMs: 60_000 };
    const stored = await createS3Store({ ...place, accessKeyId, secretAccessKey }).open(key);
    const bytes = await buffer(stored!.stream);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(receipt.sha256);
    expect(bytes.length).toBe(receipt.size_bytes);
  });

  it('prevents the start if the server refuses its credentials, with an error in one line that does not contain them', async () => {
    const secret = 'a-secret-access-key-nobody-may-see';
    const started = worker.startWorker({ EVIDENCE_S3_SECRET_ACCESS_KEY: secret });
    const error = await started.then(
      () => new Error('it started'),
      (failure: unknown) => failure as Error,
    );
    expect([error.name, error.message]).toEqual([
      'StartupError',
      'EVIDENCE_STORE=s3: the object store refused a GET: 403 SignatureDoesNotMatch; check the EVIDENCE_S3_... settings',
    ]);
    expect(error.stack).not.toContain(secret);
  });

  it('that cannot be stored does not change the result of the run, and is reported in the log of the run (EXEC-21)', async () => {
    await server.stop();
    const ended = await run();
    expect([ended.status, ended.evidence_receipt]).toEqual(['SUCCEEDED', null]);
    expect(await worker.readLog(ended)).toContain('the evidence could not be stored');
    const second = await worker.startWorker();
    expect(await second.stop()).toBe(true);
  });
});
