import { newId } from '@steward/crypto';
import { sql } from 'kysely';
import { useOpened } from '@steward/testing';
import type { FlowFields } from '../flow-fields.ts';
import { hashWebhookSecret } from '../rules/webhook-secret.ts';
import type { FlowRow } from '../../schema.ts';
import { openFlows } from '../../testing/open-flows.ts';
import { findFlow, findRunnableFlow, listFlows } from '../store/flow.store.ts';
import { deleteFlow } from './delete-flow.ts';
import { requireFlowQuota } from '../store/quota.store.ts';
import { createFlow, openFlowSecret, rotateFlowSecret, updateFlow } from './save-flow.ts';

const suite = useOpened(openFlows);
const update = (flow: FlowRow, fields: Partial<FlowFields>, accountId = flow.account_id) =>
  suite().write((trx) => updateFlow(trx, { accountId, flowId: flow.id, fields }, suite().boxes));
const updated = async (flow: FlowRow, fields: Partial<FlowFields>): Promise<FlowRow> => {
  const outcome = await update(flow, fields);
  if (outcome.kind !== 'saved') throw new Error(outcome.kind);
  return outcome.flow;
};
const rotate = (flow: FlowRow, accountId = flow.account_id) =>
  suite().write((trx) => rotateFlowSecret(trx, { accountId, flowId: flow.id }, suite().boxes.webhook));
const remove = (flow: FlowRow, accountId = flow.account_id) =>
  suite().write((trx) => deleteFlow(trx, { accountId, flowId: flow.id }));
const readSecret = (flow: FlowRow) => openFlowSecret(flow, suite().boxes.webhook);

describe('the secret of a webhook', () => {
  it('is created with the webhook, stored encrypted, and compared by its hash (FLOW-11, FLOW-14)', async () => {
    const flow = await suite().addFlow();
    const secret = readSecret(flow) ?? '';
    expect(secret).toMatch(/^flw_/);
    expect(flow.webhook_secret_hash).toEqual(hashWebhookSecret(secret));
    expect(flow.webhook_secret_hint).toBe(secret.slice(-4));
    const stored = await sql<{ row: string }>`select f::text as row from flows.flow f where id = ${flow.id}`.execute(
      suite().admin,
    );
    expect(stored.rows[0]?.row).not.toContain(secret);
  });

  it('is created when a flow gets a webhook, and retained by every update', async () => {
    const manual = await suite().addFlow({ trigger: 'manual' });
    expect(readSecret(manual)).toBeNull();
    const hook = await updated(manual, { trigger: 'webhook' });
    const secret = readSecret(hook);
    const chosen = { webhook_secret: 'flw_chosen', dedupe_path: 'id' } as FlowFields['webhook_config'];
    const kept = await updated(hook, { webhook_config: chosen });
    expect([readSecret(kept), kept.webhook_config]).toEqual([secret, { dedupe_path: 'id' }]);
    const back = await updated(await updated(kept, { trigger: 'manual' }), { trigger: 'webhook' });
    expect(readSecret(back)).toBe(secret);
  });

  it('is replaced by a rotation, but only for flows with a webhook in the same account', async () => {
    const flow = await suite().addFlow();
    const outcome = await rotate(flow);
    if (outcome.kind !== 'rotated') throw new Error(outcome.kind);
    expect(outcome.secret).not.toBe(readSecret(flow));
    expect(outcome.flow.webhook_secret_hash).toEqual(hashWebhookSecret(outcome.secret));
    expect(await rotate(await suite().addFlow({ trigger: 'manual' }))).toEqual({ kind: 'no_webhook_trigger' });
    expect(await rotate(flow, newId())).toEqual({ kind: 'not_found' });
  });
});

describe('a flow', () => {
  it('with a tracker has a secret in its URL, like a flow with a webhook (FLOW-4, FLOW-11)', async () => {
    const flow = await suite().addFlow({ trigger: 'tracker', webhook_config: { source: 'github' } });
    expect([flow.trigger, readSecret(flow)]).toEqual(['tracker', expect.stringMatching(/^flw_/)]);
    const webhook = suite().build(flow, {}, { secretHash: hashWebhookSecret('flw_any') });
    expect(await suite().accept([webhook])).toEqual([{ kind: 'flow_changed' }]);
  });

  it('has a unique name in its account', async () => {
    const accountId = newId();
    const one = await suite().addFlow({ name: 'review' }, accountId);
    const other = await suite().addFlow({ name: 'other' }, accountId);
    await suite().addFlow({ name: 'review' });
    // The refused statement aborts its transaction, so the caller has to roll back.
    const told: unknown[] = [];
    const renaming = suite().write(async (trx) => {
      const fields = { name: 'review' };
      told.push(await updateFlow(trx, { accountId, flowId: other.id, fields }, suite().boxes));
      throw new Error('undone');
    });
    await expect(renaming).rejects.toThrow('undone');
    expect(told).toEqual([{ kind: 'name_taken' }]);
    expect((await update(one, { name: 'review' })).kind).toBe('saved');
  });

  it('is updated only in the given fields, and only within its own account', async () => {
    const flow = await suite().addFlow({ description: 'old', timeout_seconds: 120 });
    expect(await updated(flow, { description: null })).toMatchObject({
      name: flow.name,
      description: null,
      timeout_seconds: 120,
    });
    expect(await update(flow, { name: 'x' }, newId())).toEqual({ kind: 'not_found' });
  });

  it('is stored with replacements for characters that cannot be stored', async () => {
    const flow = await suite().addFlow({ prompt_template: 'a\u0000b', setup_commands: ['echo \ud800'] });
    expect([flow.prompt_template, flow.setup_commands]).toEqual(['a\ufffdb', ['echo \ufffd']]);
  });

  it('is found and listed only in its own account, newest first, with one additional row', async () => {
    const accountId = newId();
    const flows = [];
    for (let n = 0; n < 3; n += 1) flows.push(await suite().addFlow({}, accountId));
    const ids = flows.map(({ id }) => id).reverse();
    const list = async (more: object = {}) =>
      (await listFlows(suite().gateway, { accountId, limit: 10, ...more })).map(({ id }) => id);
    expect(await list()).toEqual(ids);
    expect(await list({ limit: 1 })).toEqual(ids.slice(0, 2));
    expect(await list({ beforeId: ids[0] })).toEqual(ids.slice(1));
    expect((await findFlow(suite().gateway, accountId, ids[0] ?? ''))?.id).toBe(ids[0]);
    expect(await findFlow(suite().gateway, newId(), ids[0] ?? '')).toBeUndefined();
  });

  it('is counted under a lock: of two simultaneous creations at the limit, one is refused', async () => {
    const accountId = newId();
    await suite().addFlow({}, accountId);
    const add = (name: string) =>
      suite().write(async (trx) => {
        await requireFlowQuota(trx, { accountId, limit: 2 });
        const fields = { ...(await listFlows(trx, { accountId, limit: 1 }))[0], name } as unknown as FlowFields;
        const { description, trigger, prompt_template, agent_type, agent_config } = fields;
        const rest = {
          is_enabled: true,
          ai_model_id: null,
          allowed_tools: [],
          webhook_config: null,
          schedule_config: null,
          evidence: null,
          reporting: null,
          network_allow: [],
          network_secrets: null,
        };
        const clone = { git_clone_config: null, setup_commands: [], timeout_seconds: 60 };
        const whole = { name, description, trigger, prompt_template, agent_type, agent_config, ...rest, ...clone };
        return createFlow(trx, { accountId, fields: whole }, suite().boxes);
      });
    const outcomes = await Promise.allSettled([add('a'), add('b')]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'quota_reached' } });
  });

  it('is deleted with its keys, while its past executions are retained; it cannot be deleted by another account or while an execution is active', async () => {
    const flow = await suite().addFlow();
    const [accepted] = await suite().accept([suite().build(flow, {}, { key: 'k' })]);
    expect(await remove(flow)).toEqual({ kind: 'execution_active' });
    expect(await remove(flow, newId())).toEqual({ kind: 'not_found' });
    const id = accepted?.kind === 'accepted' ? accepted.execution.id : '';
    await sql`update flows.execution set status = 'SUCCEEDED', finished_at = now() where id = ${id}`.execute(
      suite().admin,
    );
    expect(await remove(flow)).toEqual({ kind: 'deleted' });
    expect(await suite().listExecutions(flow.id)).toHaveLength(1);
    const keys = await sql`select 1 from flows.idempotency_key where flow_id = ${flow.id}`.execute(suite().admin);
    expect(keys.rows).toEqual([]);
    expect(await remove(flow)).toEqual({ kind: 'not_found' });
  });

  it('can be read by the worker of its execution, without its webhook secret', async () => {
    const flow = await suite().addFlow();
    await suite().start(flow);
    const claimed = await suite().claim();
    const shown = claimed && (await findRunnableFlow(suite().worker, claimed.execution));
    expect(shown).toMatchObject({ id: flow.id, agent_config: { command: 'true' } });
    expect(shown).toMatchObject({ webhook_secret_sealed: null, webhook_secret_hash: null, webhook_secret_hint: null });
    const stolen = { id: claimed?.execution.id ?? '', lease_token: newId() };
    expect(await findRunnableFlow(suite().worker, stolen)).toBeUndefined();
  });
});
