import { randomUUID } from 'node:crypto';
import { CLAUDE, useAgents } from '../../../../testing/agent-tests.ts';

const { tests, gateway, register, enroll } = useAgents();
const validate = (id: string, enrollmentId: string, fields: object = {}) =>
  tests.call('POST', `/agents/${id}/enrollments/${enrollmentId}/validate`, { ok: true, ...fields });
/** Reports a candidate from a workstation of the account; returns its id. */
async function reportOne(token?: string): Promise<string> {
  await tests.call('PUT', '/agents/discovery-setting', { enabled: true }, token);
  const [workstation_fingerprint, config_path_hash] = ['a'.repeat(64), 'b'.repeat(64)];
  const agents = [{ agent_kind: 'cursor', config_path_hash, mcp_server_count: 0 }];
  const report = { workstation_fingerprint, os_family: 'linux', agents };
  await tests.call('POST', '/agents/discovery-reports', report, token);
  return (await tests.call('GET', '/agents/discovery-candidates', undefined, token)).body.items[0].id as string;
}

const readOnboardings = async () =>
  (await tests.readEvents()).filter(({ type }) => type === 'agent.onboarded').map(({ data }) => data);
const readAudits = async (action: string) =>
  (await tests.call('GET', `/audit-log?resource_type=agent_enrollment&action=${action}`)).body.items as object[];

describe('an enrollment (AGT-5, AGT-6)', () => {
  beforeEach(() => tests.listen());

  it('that is validated by twenty requests at once is published and recorded once (AG-1)', async () => {
    const { id } = await register();
    const { body: enrollment } = await enroll(id);
    expect(enrollment).toMatchObject({
      status: 'pending',
      gateway_routed: false,
      mcp_server_count: 0,
      onboarded_at: null,
    });
    const answers = await Promise.all(Array.from({ length: 20 }, () => validate(id, enrollment.id)));
    expect(new Set(answers.map(({ body }) => body.status))).toEqual(new Set(['validated']));
    expect(await readOnboardings()).toHaveLength(1);
    expect(await readAudits('validate')).toHaveLength(1);
    expect((await tests.call('GET', `/agents/${id}`)).body.latest_enrollment).toMatchObject({
      id: enrollment.id,
      status: 'validated',
    });
  });

  it('counts toward the account’s limit of 10,000 enrollments that have not been restored (LIM-69)', async () => {
    const { id } = await register();
    const { body: first } = await enroll(id);
    await tests.people.query(
      `insert into agents.enrollment (account_id, id, agent_id, enrollment_type, status, gateway_routed, mcp_rewritten,
         mcp_server_count, created_at, updated_at)
       select $1, gen_random_uuid(), $2, 'many', 'pending', false, false, 0, now(), now() from generate_series(1, 9998)`,
      [tests.owner().accountId, id],
    );
    const answers = await Promise.all([1, 2, 3].map(() => enroll(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body.detail).toMatchObject({ code: 'quota_reached', limit: 10_000 });
    await tests.call('POST', `/agents/${id}/enrollments/${first.id}/restore`, {});
    expect((await enroll(id)).status).toBe(201);
  });

  it('that is created as validated is published immediately, and never again (AG-1)', async () => {
    const { id } = await register();
    const { body: enrollment } = await enroll(id, { status: 'validated' });
    await validate(id, enrollment.id);
    await validate(id, enrollment.id, { ok: false });
    await validate(id, enrollment.id);
    expect(await readOnboardings()).toMatchObject([{ enrollment_id: enrollment.id, outcome: 'created' }]);
  });

  it('can refer to a discovered agent of the account, but not to an unknown one', async () => {
    const { id } = await register();
    const stranger = await gateway().registerAccount();
    const foreign = await reportOne(stranger.accessToken);
    for (const candidate_id of [randomUUID(), foreign]) {
      const { status, body } = await enroll(id, { candidate_id });
      expect([status, body.detail.field]).toEqual([422, 'candidate_id']);
    }
    const candidate_id = await reportOne();
    expect((await enroll(id, { candidate_id })).body).toMatchObject({ candidate_id });
  });

  it('is published when it is created, when it is relinked, once when agents are merged, and when it is relinked again (AG-2)', async () => {
    const { id } = await register();
    const { id: duplicate } = await register();
    await enroll(id, { status: 'validated' });
    await enroll(duplicate, { status: 'validated' });
    await enroll(id, { status: 'validated' });
    await tests.call('POST', `/agents/${id}/merge`, { duplicate_agent_id: duplicate });
    await enroll(duplicate, { status: 'validated' });
    await enroll(id, { status: 'validated' });
    const told = await readOnboardings();
    expect(told.map(({ agent_id: of, outcome }) => [of, outcome])).toEqual([
      [id, 'created'],
      [duplicate, 'created'],
      [id, 'relinked'],
      [id, 'merged'],
      [id, 'relinked'],
    ]);
  });

  it('emits the fields defined by the contract, and no part of the configuration (AG-3)', async () => {
    const { id } = await register({ owner_user_id: tests.owner().userId });
    const secret = 'dana-laptop';
    const { body: enrollment } = await enroll(id, {
      adapter_key: 'claude_code',
      target_config_path: `/home/${secret}/.claude/settings.json`,
      gateway_routed: true,
      mcp_rewritten: true,
      mcp_server_count: 3,
    });
    await validate(id, enrollment.id, { message: `reached from ${secret}` });
    expect(await readOnboardings()).toEqual([
      {
        agent_id: id,
        agent_name: CLAUDE.display_name,
        agent_kind: 'claude_code',
        source_type: 'custom',
        outcome: 'created',
        enrollment_id: enrollment.id,
        owner_user_id: tests.owner().userId,
        actor_user_id: tests.owner().userId,
        gateway_routed: true,
        mcp_rewritten: true,
        mcp_server_count: 3,
      },
    ]);
    expect(JSON.stringify(await tests.readEvents())).not.toContain(secret);
  });

  it('fails, is validated again, and is finally restored', async () => {
    const { id } = await register();
    const { body: enrollment } = await enroll(id, { status: 'applied' });
    const { body: failed } = await validate(id, enrollment.id, { ok: false, message: 'no route' });
    expect(failed).toMatchObject({ status: 'failed', message: 'no route', onboarded_at: null });
    expect((await validate(id, enrollment.id, { mcp_server_count: 2 })).body).toMatchObject({
      status: 'validated',
      message: null,
      mcp_server_count: 2,
    });
    const restore = () => tests.call('POST', `/agents/${id}/enrollments/${enrollment.id}/restore`);
    expect((await restore()).body.status).toBe('restored');
    expect((await restore()).body.status).toBe('restored');
    expect((await validate(id, enrollment.id)).status).toBe(409);
    expect((await tests.call('GET', `/agents/${id}/enrollments`)).body.items).toMatchObject([{ status: 'restored' }]);
    expect(await readAudits('restore')).toHaveLength(1);
  });

  it('belongs only to its agent, and cannot be created for a retired one', async () => {
    const { id } = await register();
    const { id: other } = await register();
    const { body: enrollment } = await enroll(id);
    expect((await validate(other, enrollment.id)).status).toBe(404);
    expect((await validate(id, randomUUID())).status).toBe(404);
    await tests.call('DELETE', `/agents/${other}`);
    expect((await enroll(other)).status).toBe(409);
    expect((await enroll(id, { status: 'restored' })).status).toBe(422);
  });
});
