import { newId } from '@steward/crypto';
import { createDatabase } from '@steward/database';
import { sql } from 'kysely';
import { openFlowSecret } from '../../flows/operations/save-flow.ts';
import { hashWebhookSecret } from '../../flows/rules/webhook-secret.ts';
import type { FlowRow } from '../../schema.ts';
import { openFlows, wrongSecret, type OpenFlows } from '../../testing/open-flows.ts';
import { purgeIdempotencyKeys } from '../store/idempotency.store.ts';
import { findWebhookFlows } from './find-webhook-flow.ts';

let suite: OpenFlows;
let database: ReturnType<typeof createDatabase>;
beforeAll(async () => {
  suite = await openFlows();
  database = createDatabase({ url: suite.adminUrl, applicationName: 'test', poolSize: 1, logger: suite.logger });
});
afterAll(async () => {
  await database.close();
  await suite.close();
});

const address = (flow: FlowRow, more: object = {}) => ({
  flowId: flow.id,
  secretHash: hashWebhookSecret(openFlowSecret(flow, suite.boxes.webhook) ?? ''),
  ...more,
});
const find = async (...addresses: Parameters<typeof findWebhookFlows>[1]) =>
  (await findWebhookFlows(database.pool, addresses)).map((flow) => flow?.id);

describe('the flows of inbound webhooks', () => {
  it('are found by id and secret, in the requested order, as often as requested', async () => {
    const [one, other] = [await suite.addFlow(), await suite.addFlow({ is_enabled: false })];
    expect(await find(address(other), address(one), address(other))).toEqual([other.id, one.id, other.id]);
    // The database writes ids in lower case; the address may contain capital letters.
    expect(await find(address(one, { flowId: one.id.toUpperCase() }))).toEqual([one.id]);
  });

  it('are all reported as not found if they are unknown, have another secret, or have no webhook', async () => {
    const [one, other] = [await suite.addFlow(), await suite.addFlow()];
    const manual = await suite.addFlow();
    await sql`update flows.flow set trigger = 'manual' where id = ${manual.id}`.execute(suite.admin);
    const { secretHash } = address(other);
    expect(
      await find(
        address(one, { flowId: newId() }),
        address(one, { secretHash: wrongSecret }),
        address(one, { secretHash }),
        address(manual),
        address(await suite.addFlow({ trigger: 'manual' }), { secretHash: Buffer.alloc(32) }),
      ),
    ).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });

  it('are read each time: a replaced secret is immediately refused', async () => {
    const flow = await suite.addFlow();
    const known = address(flow);
    expect(await find(known)).toEqual([flow.id]);
    await sql`update flows.flow set webhook_secret_hash = ${wrongSecret} where id = ${flow.id}`.execute(suite.admin);
    expect(await find(known)).toEqual([undefined]);
  });
});

it('expired keys are deleted in batches by the worker, and no other keys are deleted', async () => {
  const flow = await suite.addFlow();
  for (const key of ['a', 'b', 'c']) await suite.accept([suite.build(flow, {}, { key })]);
  expect(await purgeIdempotencyKeys(suite.worker, 10)).toBe(0);
  await sql`update flows.idempotency_key set created_at = now() - interval '25 hours'
    where key_digest in (sha256('a'), sha256('b'))`.execute(suite.admin);
  expect([await purgeIdempotencyKeys(suite.worker, 1), await purgeIdempotencyKeys(suite.worker, 10)]).toEqual([1, 1]);
  const left = await sql`select key_digest from flows.idempotency_key where flow_id = ${flow.id}`.execute(suite.admin);
  expect(left.rows).toHaveLength(1);
});
