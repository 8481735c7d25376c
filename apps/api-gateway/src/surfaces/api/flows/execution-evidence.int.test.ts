import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import pg from 'pg';
import { newId } from '@steward/crypto';
import { createS3Store, type ObjectStore } from '@steward/storage';
import { eventually, startTestObjectStore, type TestObjectStore } from '@steward/testing';
import { startTestGateway, type TestAccount, type TestGateway } from '../../../testing/start-gateway.ts';

const PLACES = [
  ['a folder', 'local'],
  ['a bucket', 's3'],
] as const;

describe.each(PLACES)('the evidence of an execution, in %s', (_place, transport) => {
  let gateway: TestGateway;
  let account: TestAccount;
  let database: pg.Client;
  let folder: string;
  let server: TestObjectStore;
  beforeAll(async () => {
    folder = mkdtempSync(resolve(tmpdir(), 'steward-evidence-'));
    server = await startTestObjectStore();
    const settings: Readonly<Record<string, string>> = transport === 's3' ? server.evidence : {};
    gateway = await startTestGateway({ EVIDENCE_DIR: folder, ...settings });
    account = await gateway.registerAccount();
    database = new pg.Client({ connectionString: gateway.database.url });
    await database.connect();
  });
  afterAll(async () => {
    await database.end();
    await gateway.close();
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  /** Creates an execution in the state that the worker leaves, with an archive of these bytes. */
  const finish = async (
    bytes: Buffer | undefined,
    { finishedAt = new Date(), storedIn = transport as string } = {},
  ): Promise<string> => {
    const { accessToken: token, accountId } = account;
    const flow = await gateway.call('POST', '/api/v1/flows', {
      token,
      body: { name: newId(), prompt_template: 'x', agent_type: 'command', agent_config: { command: 'true' } },
    });
    const { body } = await gateway.call('POST', `/api/v1/flows/${flow.body.id}/trigger`, { token, body: {} });
    const artifactId = newId();
    const receipt = {
      status: 'available',
      transport: storedIn,
      artifact_id: artifactId,
      sha256: createHash('sha256')
        .update(bytes ?? '')
        .digest('hex'),
      manifest_sha256: '0'.repeat(64),
      size_bytes: bytes?.length ?? 0,
      retention_hours: 24,
      object_lock: false,
      legal_hold: false,
      integrity_verified: true,
    };
    if (bytes !== undefined) {
      const path = resolve(folder, accountId, `${artifactId}.tar.gz`);
      mkdirSync(resolve(folder, accountId), { recursive: true });
      writeFileSync(path, bytes);
      if (storedIn === 's3') {
        await storeOf(server).put({
          key: `${accountId}/${artifactId}.tar.gz`,
          path,
          sizeBytes: bytes.length,
          sha256: receipt.sha256,
        });
        rmSync(path);
      }
    }
    await database.query(
      `update flows.execution set status = 'SUCCEEDED', finished_at = $2, evidence_receipt = $3 where id = $1`,
      [body.execution_id, finishedAt, JSON.stringify(receipt)],
    );
    return `/api/v1/flows/executions/${body.execution_id}`;
  };
  const get = (path: string, token = account.accessToken): Promise<Response> =>
    fetch(`${gateway.url}${path}`, { headers: { authorization: `Bearer ${token}` } });

  it('is downloaded as the bytes that were stored, with their length and digest (EXEC-20)', async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
    const response = await get(`${await finish(bytes)}/evidence`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/gzip']);
    expect(response.headers.get('content-length')).toBe('300000');
    const digest = createHash('sha256').update(bytes).digest('base64');
    expect(response.headers.get('repr-digest')).toBe(`sha-256=:${digest}:`);
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
  });

  it('is reported as expired after its retention period, on the execution and for the download (EXEC-20)', async () => {
    const path = await finish(Buffer.from('x'), { finishedAt: new Date(Date.now() - 25 * 3_600_000) });
    const execution = await gateway.call('GET', path, { token: account.accessToken });
    expect(execution.body.evidence_receipt.status).toBe('expired');
    const answer = await gateway.call('GET', `${path}/evidence`, { token: account.accessToken });
    expect([answer.status, answer.body.detail.message]).toEqual([404, expect.stringContaining('retention')]);
  });

  it('is not found if the archive is missing, for another account, or for an execution without evidence', async () => {
    const gone = await finish(undefined);
    expect((await get(`${gone}/evidence`)).status).toBe(404);
    const stranger = (await gateway.registerAccount()).accessToken;
    expect((await get(`${await finish(Buffer.from('x'))}/evidence`, stranger)).status).toBe(404);
    expect((await get(`/api/v1/flows/executions/${newId()}/evidence`)).status).toBe(404);
  });

  it('can be downloaded eight times at once per account; a disconnect frees a slot (LIM-65)', async () => {
    // More than the intermediate buffers can hold, so that a client that does not read keeps its download open.
    const path = await finish(Buffer.alloc(24 * 1024 * 1024));
    const under = await Promise.all(Array.from({ length: 8 }, () => get(`${path}/evidence`)));
    expect(under.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const refused = await get(`${path}/evidence`);
    expect([refused.status, await refused.json()]).toMatchObject([429, { detail: { code: 'rate_limited', limit: 8 } }]);
    await under[0]?.body?.cancel();
    await eventually(async () => {
      const response = await get(`${path}/evidence`);
      await response.body?.cancel();
      return response.status === 200;
    });
    await Promise.all(under.slice(1).map(({ body }) => body?.cancel()));
  });

  it('is still found if it was previously stored in a folder', async () => {
    const response = await get(`${await finish(Buffer.from('earlier'), { storedIn: 'local' })}/evidence`);
    expect([response.status, await response.text()]).toEqual([200, 'earlier']);
  });
});

describe('the evidence of an execution, in a bucket that does not respond', () => {
  it('is temporarily unavailable, but everything else is served (EXEC-20)', async () => {
    const server = await startTestObjectStore();
    await server.stop();
    const gateway = await startTestGateway(server.evidence);
    const { accessToken: token, accountId } = await gateway.registerAccount();
    const flow = await gateway.call('POST', '/api/v1/flows', {
      token,
      body: { name: newId(), prompt_template: 'x', agent_type: 'command', agent_config: { command: 'true' } },
    });
    const { body } = await gateway.call('POST', `/api/v1/flows/${flow.body.id}/trigger`, { token, body: {} });
    const database = new pg.Client({ connectionString: gateway.database.url });
    await database.connect();
    await database.query(
      `update flows.execution set status = 'SUCCEEDED', finished_at = now(), evidence_receipt = $2 where account_id = $1`,
      [accountId, JSON.stringify({ status: 'available', transport: 's3', artifact_id: newId(), retention_hours: 0 })],
    );
    await database.end();
    const answer = await gateway.call('GET', `/api/v1/flows/executions/${body.execution_id}/evidence`, { token });
    expect([answer.status, answer.body.detail.code]).toEqual([503, 'unavailable']);
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(JSON.stringify(answer.body)).not.toContain('ECONNREFUSED');
    expect((await gateway.call('GET', '/api/v1/readyz')).status).toBe(200);
    await gateway.close();
  });
});

function storeOf({ url, bucket, accessKeyId, secretAccessKey }: TestObjectStore): ObjectStore {
  const place = { endpoint: url, bucket, prefix: 'steward/', region: 'us-east-1', pathStyle: true };
  return createS3Store({ ...place, accessKeyId, secretAccessKey, timeoutMs: 5000 });
}
