import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { releaseAfterAll, startTestObjectStore, type TestObjectStore } from '@steward/testing';
import { readEnd } from './read-end.ts';
import { registerOwner } from './register-owner.ts';
import { runCommand } from './run-command.ts';
import { startSuiteOf, type Suite } from './start-suite.ts';
import { START_TIMEOUT_MS } from './suite-apps.ts';

describe('evidence in a bucket, across processes', () => {
  const release = releaseAfterAll();
  let server: TestObjectStore;
  let suite: Suite;
  beforeAll(async () => {
    server = await startTestObjectStore();
    release(() => server.stop());
    suite = await startSuiteOf(['api-gateway', 'flow-trigger'], server.evidence);
    release(suite.stop);
  }, START_TIMEOUT_MS);

  it(
    'is returned by the gateway as packed by the worker, and no log contains the credentials',
    async () => {
      const { api, accessToken: token } = await registerOwner(suite.api, 'evidence');
      const command = 'mkdir out; echo found > out/report.txt';
      const id = await runCommand(api, { name: 'evidence', command, evidence: { enabled: true, paths: ['out'] } });
      const ended = await readEnd(api, id);
      const receipt = ended.evidence_receipt as unknown as { sha256: string; transport: string };
      expect([ended.status, receipt.transport]).toEqual(['SUCCEEDED', 's3']);
      const path = `/api/v1/flows/executions/${id}/evidence`;
      const response = await fetch(`${suite.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
      const archive = Buffer.from(await response.arrayBuffer());
      expect(createHash('sha256').update(archive).digest('hex')).toBe(receipt.sha256);
      const report = execFileSync('tar', ['-xzO', '-f', '-', 'files/out/report.txt'], { input: archive });
      expect(report.toString()).toBe('found\n');
      expect(server.listKeys()).toHaveLength(1);
      const logs = readdirSync(suite.logDirectory).filter((name) => name.endsWith('.log'));
      for (const name of logs)
        expect(readFileSync(resolve(suite.logDirectory, name), 'utf8')).not.toContain(server.secretAccessKey);
    },
    START_TIMEOUT_MS,
  );
});
