import { useApprovals } from '../../../testing/approval-tests.ts';

const approvals = useApprovals({ PUBLIC_URL: 'https://steward.example.test' });
const { call, decide, hold } = approvals;
const ROOM = 'http://127.0.0.1:9/rooms/deploys';

/** Returns the waiting messages with their addresses, oldest first. */
const readMessages = async () => {
  const addresses = await approvals.readAddresses();
  return (
    await approvals.people.query(
      `select d.endpoint_id, v.type, convert_from(v.body, 'utf8')::jsonb as body from webhooks.delivery d
       join webhooks.event v on v.account_id = d.account_id and v.id = d.event_id
       where d.account_id = $1 order by v.created_at, d.endpoint_id`,
      [approvals.owner().accountId],
    )
  ).map(({ endpoint_id, type, body }) => [
    addresses.get(endpoint_id as string),
    type,
    (body as { text?: string }).text,
  ]);
};

/** The address as it is shown: its path is its credential and is hidden (ACC-47). */
const SHOWN = `${new URL(ROOM).origin}/[hidden]`;

describe('the chat receivers of a workflow (APR-17)', () => {
  it('get a message when a request is created and when it is decided, with a link but without arguments', async () => {
    const channel_configs = [
      { kind: 'slack', url: ROOM },
      { kind: 'mattermost', url: `${ROOM}/2` },
    ];
    const { body: workflow } = await call('POST', '/approval-workflows', {
      name: 'told',
      channel_configs,
      is_default: true,
    });
    const shown = channel_configs.map(({ kind }) => ({ kind, url: SHOWN }));
    expect([workflow.channel_configs, workflow.webhook_secret]).toEqual([shown, undefined]);
    const id = await hold({ tool_name: 'deploy', arguments: 'canary' });
    await decide(id, 'decline', { comment: 'Not <now>, @channel.' });
    const link = `https://steward.example.test/approvals/${id}`;
    const who = approvals.owner().username;
    const asked = expect.stringMatching(
      new RegExp(`^${who} wants to call deploy\\. Deploys need approval Open until \\S+\\.\n${link}$`),
    ) as unknown;
    const told = `${who} wants to call deploy: declined. Not &lt;now&gt;, @\u200bchannel.\n${link}`;
    expect(await readMessages()).toEqual(
      [asked, told].flatMap((text) => [
        [ROOM, 'approval.message', text],
        [`${ROOM}/2`, 'approval.message', text],
      ]),
    );
  });

  it('belong only to their workflow, and are deleted with it', async () => {
    const channel_configs = [{ kind: 'slack', url: ROOM }];
    const { body } = await call('POST', '/approval-workflows', { name: 'other', channel_configs });
    const { items } = (await call('GET', '/event-webhooks/endpoints')).body;
    expect(items).toMatchObject([{ url: SHOWN, source: 'approval_workflow' }]);
    expect((await call('DELETE', `/event-webhooks/endpoints/${items[0].id}`)).status).toBe(409);
    await hold();
    expect(await readMessages()).toEqual([]);
    expect((await call('DELETE', `/approval-workflows/${body.id}`)).status).toBe(204);
    expect((await call('GET', '/event-webhooks/endpoints')).body.items).toEqual([]);
  });
});
