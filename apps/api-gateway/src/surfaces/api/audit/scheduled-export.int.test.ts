import { shortenPauses } from '@steward/process/testing';
import { eventually, releaseAfterAll, startTestObjectStore, type TestObjectStore } from '@steward/testing';
import { startTestGateway, type TestGateway } from '../../../testing/start-gateway.ts';

describe('a gateway that exports the audit log (ACC-53)', () => {
  const release = releaseAfterAll();
  let store: TestObjectStore;
  let gateway: TestGateway;

  beforeAll(async () => {
    release(shortenPauses('audit sealing', 'audit export'));
    store = await startTestObjectStore();
    release(() => store.stop());
    gateway = await startTestGateway({
      AUDIT_EXPORT_S3_ENDPOINT: store.url,
      AUDIT_EXPORT_S3_BUCKET: store.bucket,
      AUDIT_EXPORT_S3_PREFIX: 'steward/audit/',
      AUDIT_EXPORT_S3_ACCESS_KEY_ID: store.accessKeyId,
      AUDIT_EXPORT_S3_SECRET_ACCESS_KEY: store.secretAccessKey,
      AUDIT_EXPORT_S3_TIMEOUT_SECONDS: '60',
      AUDIT_EXPORT_INTERVAL_SECONDS: '10',
      HEALTH_PORT: '0',
    });
    release(() => gateway.close());
  });

  it('stores what an account did in its own objects, and reports it in its metrics', async () => {
    const { accountId } = await gateway.registerAccount();
    const isOwn = (key: string): boolean => key.startsWith(`steward/audit/${accountId}/000000000001-`);
    await eventually(() => store.listKeys().some(isOwn));
    await eventually(async () => {
      const text = await (await fetch(`${gateway.healthUrl}/metrics`)).text();
      expect(text).toMatch(/^steward_audit_export_objects_total\{outcome="conflict",service="api-gateway"\} 0$/m);
      expect(text).toMatch(/^steward_audit_export_interval_seconds\S* 10$/m);
      return /^steward_audit_export_objects_total\{outcome="stored",service="api-gateway"\} [1-9]/m.test(text);
    });
  });
});
