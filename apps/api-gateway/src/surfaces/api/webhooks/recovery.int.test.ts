import { useEventWebhooks } from '../../../testing/event-webhook-tests.ts';

const tests = useEventWebhooks();
const { call, addEndpoint, finishDeliveries } = tests;

describe('recovering dead deliveries', () => {
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
  const recover = (body: object) => call('POST', '/deliveries/recover', { since: hourAgo, status: 'dead', ...body });

  it('is only counted in a dry run; otherwise it runs in the background and shows its progress (HOOK-36)', async () => {
    const endpoint = await addEndpoint();
    await call('POST', `/endpoints/${endpoint.id}/test`);
    await call('POST', `/endpoints/${endpoint.id}/test`);
    await finishDeliveries('dead');
    const dry = await recover({ dry_run: true });
    expect([dry.status, dry.body]).toEqual([202, { matched: 2, queued: 0, recovery_id: null }]);
    const accepted = await recover({ endpoint_id: endpoint.id });
    expect([accepted.status, accepted.body]).toEqual([202, { matched: 2, queued: 2, recovery_id: expect.any(String) }]);
    const progress = await call('GET', `/deliveries/recover/${accepted.body.recovery_id}`);
    expect([progress.status, progress.body]).toEqual([
      200,
      {
        id: accepted.body.recovery_id,
        endpoint_id: endpoint.id,
        since: hourAgo,
        until: expect.any(String),
        status: 'running',
        matched: 2,
        queued: 0,
        skipped: null,
        created_at: expect.any(String),
        finished_at: null,
      },
    ]);
    const log = await tests.gateway.call('GET', '/api/v1/audit-log', { token: tests.owner.accessToken });
    const rows = (log.body.items as { action: string; resource_id: string }[]).filter(
      (row) => row.action === 'recover',
    );
    expect(rows.map((row) => row.resource_id)).toEqual([accepted.body.recovery_id]);
  });

  it('returns zero if nothing is dead', async () => {
    expect((await recover({})).body).toEqual({ matched: 0, queued: 0, recovery_id: null });
  });

  it('reports the error in an invalid request', async () => {
    for (const [body, field] of [
      [{ status: 'delivered' }, 'status'],
      [{ since: 'yesterday' }, 'since'],
      [{ since: new Date(Date.now() + 60_000).toISOString() }, 'since'],
      [{ until: hourAgo }, 'since'],
      [{ colour: 'red' }, 'colour'],
      [{ endpoint_id: 'x' }, 'endpoint_id'],
    ] as const) {
      const refused = await recover(body);
      expect([refused.status, refused.body.detail.code, refused.body.detail.field]).toEqual([
        422,
        'invalid_request',
        field,
      ]);
    }
    expect((await call('POST', '/deliveries/recover', { status: 'dead' })).body.detail.field).toBe('since');
  });

  it('does not include endpoints and recoveries of other accounts', async () => {
    const endpoint = await addEndpoint();
    await call('POST', `/endpoints/${endpoint.id}/test`);
    await finishDeliveries('dead');
    const accepted = await recover({});
    const stranger = await tests.gateway.registerAccount();
    const token = { token: stranger.accessToken };
    const path = `/deliveries/recover/${accepted.body.recovery_id}`;
    expect((await call('GET', path, undefined, token)).status).toBe(404);
    const foreign = { since: hourAgo, status: 'dead', endpoint_id: endpoint.id };
    expect((await call('POST', '/deliveries/recover', foreign, token)).status).toBe(404);
    expect((await call('POST', '/deliveries/recover', { since: hourAgo, status: 'dead' }, token)).body.matched).toBe(0);
  });
});
