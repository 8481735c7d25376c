import { createSecretBox, KEY_PURPOSES } from '@steward/crypto';
import { connectTestDatabase } from '@steward/database/testing';
import { sealStoredWorkflows } from '@steward/approvals';
import { useApprovals } from '../../../testing/approval-tests.ts';
import { findInDatabase } from '../../../testing/find-in-database.ts';
import { SECRET_KEY } from '../../../testing/start-gateway.ts';

const approvals = useApprovals({});
const { call, hold, people } = approvals;

const CANARY = 'canary-7f3a-services';
const address = (host: string) => `https://${host}.example.test/${CANARY}?token=${CANARY}`;
const channel_configs = [
  { kind: 'slack', url: address('room') },
  { kind: 'webhook', url: address('receiver') },
];
const shown = [
  { kind: 'slack', url: 'https://room.example.test/[hidden]' },
  { kind: 'webhook', url: address('receiver') },
];

async function add(): Promise<string> {
  const body = { name: 'told', is_default: true, channel_configs, approval_config: { webhook_url: address('older') } };
  const made = await call('POST', '/approval-workflows', body);
  expect([made.status, made.body.channel_configs]).toEqual([201, shown]);
  return `/approval-workflows/${made.body.id as string}`;
}
const findCanary = () => findInDatabase(people.gateway().database.url, CANARY);
/** Simulates a release that does not encrypt receivers. */
const leaveInClear = () =>
  people.query(
    `update approvals.approval_workflow set channel_configs = $2, approval_webhook_url = $3, receivers_sealed = null
     where account_id = $1`,
    [approvals.owner().accountId, JSON.stringify(channel_configs), address('older')],
  );
async function seal(): Promise<number> {
  const database = connectTestDatabase(people.gateway().database.url);
  const rows = await sealStoredWorkflows(database.db, createSecretBox(SECRET_KEY, KEY_PURPOSES.endpoint));
  await database.close();
  return rows;
}
const listTargets = async () => [...(await approvals.readAddresses()).values()].sort();

describe('the stored receivers of a workflow (ACC-48)', () => {
  it('are encrypted, and remain unchanged when another field changes', async () => {
    const path = await add();
    const before = await listTargets();
    expect(before).toEqual([address('older'), address('receiver'), address('room')]);
    expect(await findCanary()).toEqual([]);
    expect(await findInDatabase(people.gateway().database.url, 'https://room.example.test')).toContain(
      'approvals.approval_workflow',
    );
    const { body } = await call('PATCH', path, { description: 'changed' });
    expect([body.channel_configs, body.approval_config]).toEqual([shown, { webhook_url: address('older') }]);
    expect(await listTargets()).toEqual(before);
    const replaced = await call('PATCH', path, { channel_configs: [{ kind: 'webhook', url: address('next') }] });
    expect(replaced.body.approval_config).toEqual({ webhook_url: address('older') });
    expect(await findCanary()).toEqual([]);
    const none = await call('PATCH', path, { channel_configs: [], approval_config: { webhook_url: null } });
    expect([none.status, none.body.channel_configs]).toEqual([200, []]);
    expect(await call('DELETE', path)).toMatchObject({ status: 204 });
    expect(await findCanary()).toEqual([]);
  });

  it('keep working before and after they are encrypted, if an earlier release stored them unencrypted', async () => {
    const path = await add();
    await leaveInClear();
    expect(await findCanary()).toEqual(['approvals.approval_workflow']);
    expect((await call('GET', path)).body).toMatchObject({
      channel_configs: shown,
      approval_config: { webhook_url: address('older') },
    });
    expect([await seal(), await seal()]).toEqual([1, 0]);
    expect(await findCanary()).toEqual([]);
    expect((await call('GET', path)).body).toMatchObject({
      channel_configs: shown,
      approval_config: { webhook_url: address('older') },
    });
    await leaveInClear();
    await call('PATCH', path, { description: 'a save seals as well' });
    expect(await findCanary()).toEqual([]);
  });

  it('do not block anything if their key is lost, show only their host, and must be sent again when the workflow is saved', async () => {
    const path = await add();
    await people.query(
      "update approvals.approval_workflow set receivers_sealed = '\\x02beefbeef00' where account_id = $1",
      [approvals.owner().accountId],
    );
    expect(await hold()).toBeDefined();
    const { items } = (await call('GET', '/approval-workflows')).body;
    expect(items[0].channel_configs).toEqual([
      shown[0],
      { kind: 'webhook', url: 'https://receiver.example.test/[hidden]' },
    ]);
    const refused = await call('PATCH', path, { description: 'changed' });
    expect([refused.status, refused.body.detail.code, refused.body.detail.field]).toEqual([
      409,
      'conflict',
      'channel_configs',
    ]);
    const again = { channel_configs, approval_config: { webhook_url: null } };
    expect((await call('PATCH', path, again)).body.channel_configs).toEqual(shown);
    expect(await listTargets()).toContain(address('room'));
  });
});
