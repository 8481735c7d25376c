import { createCipheriv, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import type { HintSink } from '@steward/contracts';
import { beginTrace, createSecretBox, deriveKey, KEY_PURPOSES, newId, type SecretBox } from '@steward/crypto';
import { assertKeysFit, createDatabase, transact, type AnyTransaction, type Database } from '@steward/database';
import { createLogger } from '@steward/process';
import {
  createWorkflow,
  describeCallContext,
  describeResultContext,
  finishRun,
  holdCall,
  keepCall,
  readInertArguments,
  startRun,
} from '@steward/approvals';
import { createFlow, FLOW_DEFAULTS, saveSecret, type FlowFields } from '@steward/flows';
import { createAiModel } from '@steward/models';
import { saveEmbeddingSetting } from '@steward/search';
import {
  createToolServer,
  describeBegunContext,
  describeGrantContext,
  insertBegunLogin,
  saveGrant,
} from '@steward/tool-servers';
import { createTracker } from '@steward/trackers';
import { createTestDatabase, type TestDatabase } from '@steward/testing';
import { resealAll, SEALED_COLUMNS } from './reseal-all.ts';

const FORMER = 'the-former-secret-key-for-tests-0123456789';
const CURRENT = 'the-current-secret-key-for-tests-9876543210';
const EACH = 7;
const PUSH_KEY = SEALED_COLUMNS.find(({ table }) => table === 'webhooks.push_key');

const HELD_CALL = {
  caller: 'somebody',
  requesterUserId: newId(),
  apiKeyId: null,
  managedAgentId: null,
  managedAgentName: null,
  runtimeSessionId: null,
  executionId: null,
  server: 'tools',
  definitionHash: null,
  arguments: {},
  maskedArguments: {},
  summary: 'Somebody calls.',
  reasoning: null,
  workflow: null,
  humanOnly: false,
  rule: null,
  policyVersion: 1,
};

describe('a change of SECRET_KEY', () => {
  let database: TestDatabase;
  let db: Database;
  let admin: pg.Client;
  beforeEach(async () => {
    database = await createTestDatabase();
    db = createDatabase({
      url: database.url,
      applicationName: 'test',
      poolSize: 4,
      logger: createLogger({ service: 'test', level: 'error', pretty: false }),
    });
    admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
    // A deployment has one key for push messages; here there are several, as of every other secret.
    await admin.query('alter table webhooks.push_key drop constraint push_key_id_check');
    for (let index = 0; index < EACH; index += 1) await storeSecrets(FORMER, index);
  });
  afterEach(async () => {
    await admin.end();
    await db.close();
    await database.drop();
  });

  const storeSecrets = (secretKey: string, index: number) =>
    transact({ db: db.db, broker: { publishHint: () => undefined }, traceparent: beginTrace() }, async (trx, hints) => {
      const accountId = newId();
      const box = (purpose: string) => createSecretBox(secretKey, purpose);
      const channelConfigs = [{ kind: 'webhook', url: `https://receiver.example.test/canary-${index}` }] as const;
      // The creation also adds an endpoint for the workflow's receiver.
      const workflow = { accountId, patch: { name: 'told', channelConfigs } };
      await createWorkflow(trx, hints, workflow, box(KEY_PURPOSES.endpoint));
      const fields = {
        ...FLOW,
        agent_config: { command: 'true', env: { A: `canary-${index}` } },
        webhook_config: { source: 'github', signing_secrets: [`canary-signing-${index}`] } as const,
      };
      const boxes = { webhook: box(KEY_PURPOSES.flowWebhook), agent: box(KEY_PURPOSES.flowAgent) };
      await createFlow(trx, { accountId, fields }, boxes);
      const named = { accountId, name: `NAME_${index}`, value: `canary-named-${index}` };
      await saveSecret(trx, named, box(KEY_PURPOSES.flowAgent));
      const provider = { modelIdentifier: 'model', baseUrl: 'https://embeddings.example.test' };
      const patch = { isEnabled: true, ...provider, apiKey: `canary-provider-${index}` };
      const setting = { accountId, patch, insecureOrigins: [], now: new Date() };
      await saveEmbeddingSetting(trx, setting, box(KEY_PURPOSES.embedding));
      const fast = {
        alias: 'fast',
        provider: 'openai',
        modelIdentifier: 'm',
        apiKey: `canary-model-${index}`,
      } as const;
      const model = { accountId, patch: fast, insecureOrigins: [], now: new Date() };
      await createAiModel(trx, model, box(KEY_PURPOSES.model));
      const tools = { name: 'tools', url: 'https://tools.example.test', headers: { 'x-key': `canary-tools-${index}` } };
      const server = { accountId, patch: tools, insecureOrigins: [], now: new Date() };
      const hub = { accountId, kind: 'github', patch: { name: 'hub', token: `canary-tracker-${index}` } } as const;
      await createTracker(trx, { ...hub, insecureOrigins: [], now: new Date() }, box(KEY_PURPOSES.tracker));
      const saved = await createToolServer(trx, server, box(KEY_PURPOSES.toolServer));
      if (saved.kind !== 'saved') throw new Error('the tool server was not saved');
      await storeLogins(trx, { accountId, id: saved.server.id, box: box(KEY_PURPOSES.toolServer) });
      await keepApprovedCalls(trx, hints, { accountId, box: box(KEY_PURPOSES.approvedCall) });
      const contentKey = box(KEY_PURPOSES.sessionContent).seal(`canary-content-${index}`, accountId);
      await sql`insert into gateway.content_key (account_id, key_sealed) values (${accountId}, ${contentKey})`.execute(
        trx,
      );
      const pushKey = box(KEY_PURPOSES.endpoint).seal(`canary-push-${index}`, PUSH_KEY?.describeContext({}) ?? '');
      await sql`insert into webhooks.push_key (id, public_key, private_sealed) values (${index}, '', ${pushKey})`.execute(
        trx,
      );
    });

  /** Stores a started login and a completed one. */
  async function storeLogins(
    trx: AnyTransaction,
    { box, ...key }: { readonly accountId: string; readonly id: string; readonly box: SecretBox },
  ): Promise<void> {
    const [loginId, userId, now] = [newId(), newId(), new Date()];
    const sealed = box.seal('canary-begun', describeBegunContext(loginId));
    const begun = { ...key, loginId, userId, stateHash: randomBytes(32), targetVersion: 1, sealed };
    await insertBegunLogin(trx, begun, now);
    const grant = { issuer: 'https://login.example.test', scope: null, expiresAt: null, userId, targetVersion: 1, now };
    await saveGrant(trx, key, { ...grant, sealed: box.seal('canary-granted', describeGrantContext(key)) });
  }

  /** Stores a call that waits for approval, and the result of another. */
  async function keepApprovedCalls(
    trx: AnyTransaction,
    hints: HintSink,
    { accountId, box }: { readonly accountId: string; readonly box: SecretBox },
  ): Promise<void> {
    const mail = { from: undefined, linkBase: '', secretBox: box };
    const options = { maxPendingPerAccount: 1000, reviewBase: null, mail, inertArguments: readInertArguments() };
    const hold = async (toolName: string) =>
      (await holdCall(trx, hints, { ...HELD_CALL, accountId, toolName }, options)).request;
    const [waits, ran] = [await hold('waits'), await hold('ran')];
    await keepCall(trx, waits, box.seal('canary-call', describeCallContext(waits)));
    await startRun(trx, ran, box.seal('canary-call', describeCallContext(ran)));
    await finishRun(trx, ran, box.seal('canary-result', describeResultContext(ran)));
  }

  /** Decrypts every sealed value, as an app with only this key would. */
  async function openAll(secretKey: string): Promise<string[]> {
    const opened: string[] = [];
    for (const { table, column, describeContext, purpose } of SEALED_COLUMNS) {
      const box = createSecretBox(secretKey, purpose);
      const { rows } = await admin.query(`select * from ${table} where ${column} is not null`);
      for (const row of rows as Record<string, string>[]) {
        opened.push(box.open(row[column] as unknown as Buffer, describeContext(row)));
      }
    }
    return opened.sort();
  }
  const reseal = (options: Partial<Parameters<typeof resealAll>[0]> = {}) =>
    resealAll({
      databaseUrl: database.url,
      secretKeys: [CURRENT, FORMER],
      dryRun: false,
      log: () => undefined,
      batchSize: 2,
      ...options,
    });

  const start = async (secretKeys: readonly string[], isLost = false) => {
    const box = (purpose: string) => createSecretBox(secretKeys, purpose);
    const boxes = Object.fromEntries(Object.values(KEY_PURPOSES).map((purpose) => [purpose, box(purpose)]));
    const warnings: unknown[] = [];
    const check = { columns: SEALED_COLUMNS, boxes, variable: 'SECRET_KEY', isLost };
    await assertKeysFit(db.db, check, { warn: (_event, fields) => void warnings.push(fields) });
    return warnings;
  };

  it('prevents the start of an app that cannot decrypt any secret, unless an operator declared the key lost', async () => {
    const secrets = SEALED_COLUMNS.length * EACH;
    await expect(start([CURRENT])).rejects.toThrow(
      `SECRET_KEY is not the key of this database: none of its ${secrets} stored secrets can be decrypted`,
    );
    const keys = expect.arrayContaining([expect.stringMatching(/^[0-9a-f]{8}$/)]) as unknown;
    expect(await start([CURRENT], true)).toEqual([{ variable: 'SECRET_KEY', secrets, keys }]);
  });

  it('allows an app to start in every step of the rotation, and on a database without secrets', async () => {
    expect(await start([FORMER])).toEqual([]);
    expect(await start([CURRENT, FORMER])).toEqual([]);
    await storeSecrets(CURRENT, EACH);
    // The check counts the values that still need the former key, which was removed too early.
    expect(await start([CURRENT])).toEqual([expect.objectContaining({ secrets: SEALED_COLUMNS.length * EACH })]);
    await reseal();
    expect(await start([CURRENT])).toEqual([]);
    for (const { table } of SEALED_COLUMNS) await admin.query(`truncate ${table} cascade`);
    expect(await start(['a-third-secret-key-for-tests-5555555555'])).toEqual([]);
  });

  it('loses no secret: all of them can be decrypted with only the new key, and a second run has nothing to do', async () => {
    const before = await openAll(FORMER);
    expect(before).toHaveLength(SEALED_COLUMNS.length * EACH);
    const reports = await reseal();
    expect(reports.map(({ total, old, resealed, left }) => [total, old, resealed, left])).toEqual(
      SEALED_COLUMNS.map(() => [EACH, EACH, EACH, 0]),
    );
    expect(await openAll(CURRENT)).toEqual(before);
    await expect(openAll(FORMER)).rejects.toThrow('not configured');
    expect((await reseal()).map(({ old, resealed }) => [old, resealed])).toEqual(SEALED_COLUMNS.map(() => [0, 0]));
  });

  it('in a dry run only counts the secrets', async () => {
    const before = await openAll(FORMER);
    const reports = await reseal({ dryRun: true });
    expect(reports.map(({ old, resealed, left }) => [old, resealed, left])).toEqual(
      SEALED_COLUMNS.map(() => [EACH, 0, EACH]),
    );
    expect(await openAll(FORMER)).toEqual(before);
  });

  it('continues from its position after it was killed, even if it runs twice concurrently', async () => {
    const before = await openAll(FORMER);
    let batches = 0;
    const killed = reseal({
      log: () => {
        batches += 1;
        if (batches === 3) throw new Error('killed');
      },
    });
    await expect(killed).rejects.toThrow('killed');
    await expect(openAll(CURRENT)).rejects.toThrow();
    await Promise.all([reseal(), reseal()]);
    expect(await openAll(CURRENT)).toEqual(before);
  });

  it('reports secrets that none of the given keys can decrypt, and leaves them unchanged', async () => {
    await storeSecrets('a-third-secret-key-for-tests-5555555555', EACH);
    const reports = await reseal();
    for (const report of reports) expect([report.resealed, report.left, report.unopened.length]).toEqual([EACH, 1, 1]);
  });

  it('migrates secrets encrypted before keys had ids', async () => {
    const { rows } = await admin.query<{ id: string; endpoint_id: string }>(
      'select * from webhooks.endpoint_secret limit 1',
    );
    const { id, endpoint_id: endpointId } = rows[0]!;
    const nonce = randomBytes(12);
    const key = Buffer.from(deriveKey(FORMER, KEY_PURPOSES.endpoint), 'hex');
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(endpointId));
    const text = Buffer.concat([cipher.update('whsec_old'), cipher.final()]);
    const sealed = Buffer.concat([Buffer.from([1]), nonce, cipher.getAuthTag(), text]);
    await admin.query('update webhooks.endpoint_secret set ciphertext = $2 where id = $1', [id, sealed]);
    await reseal();
    expect(await openAll(CURRENT)).toContain('whsec_old');
  });

  it('covers every encrypted column', async () => {
    const { rows } = await admin.query<{ name: string }>(
      `select table_schema || '.' || table_name || '.' || column_name as name from information_schema.columns
       where data_type = 'bytea' and (column_name like '%sealed%' or column_name like '%cipher%') order by 1`,
    );
    const listed = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).sort();
    expect(rows.map(({ name }) => name)).toEqual(listed);
  });
});

const FLOW: FlowFields = {
  ...FLOW_DEFAULTS,
  name: 'flow',
  trigger: 'webhook',
  prompt_template: '',
  agent_type: 'command',
};
