import { randomUUID } from 'node:crypto';
import { useEventWebhooks } from '../../../testing/event-webhook-tests.ts';

const tests = useEventWebhooks();
const { call, addEndpoint } = tests;

describe('an event', () => {
  const send = async (): Promise<string> => {
    const { id } = await addEndpoint();
    return (await call('POST', `/endpoints/${id}/test`)).body.event_id as string;
  };

  it('is returned as it is sent, with the body and headers of every attempt (HOOK-40)', async () => {
    const id = await send();
    const { rows } = await tests.admin.query<{ body: Buffer }>('select body from webhooks.event where id = $1', [id]);
    const { status, body } = await call('GET', `/events/${id}`);
    expect([status, body]).toEqual([
      200,
      {
        id,
        type: 'webhook.test',
        occurred_at: expect.stringMatching(/Z$/),
        created_at: expect.stringMatching(/Z$/),
        headers: {
          'Content-Type': 'application/json',
          'User-Agent': 'Service-Webhook/1',
          'X-Service-Event-Id': id,
          'X-Service-Event-Type': 'webhook.test',
          'webhook-id': id,
        },
        body: rows[0]?.body.toString(),
      },
    ]);
    expect(JSON.parse(body.body)).toMatchObject({ id, type: 'webhook.test' });
  });

  it('is not found in another account, by users who may not register receivers, or if it is an e-mail (HOOK-40)', async () => {
    const id = await send();
    const stranger = await tests.gateway.registerAccount();
    const asStranger = { token: stranger.accessToken };
    expect((await call('GET', `/events/${id}`, undefined, asStranger)).status).toBe(404);
    expect((await call('GET', `/events/${randomUUID()}`)).status).toBe(404);
    const scopes = ['view_policies'];
    const key = await tests.gateway.call('POST', '/api/v1/auth/api-keys', {
      token: tests.owner.accessToken,
      body: { name: 'reader', scopes },
    });
    expect((await call('GET', `/events/${id}`, undefined, { token: key.body.key })).body.detail.permission).toBe(
      'manage_policies',
    );
    await tests.admin.query(`update webhooks.event set type = 'approval.mail' where id = $1`, [id]);
    expect((await call('GET', `/events/${id}`)).status).toBe(404);
  });
});
