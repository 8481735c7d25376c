import { PLAYED_PLACES, useTrackers } from '../../../testing/tracker-tests.ts';

const trackers = useTrackers();
const { call } = trackers;

describe('the tracker of a flow', () => {
  it.each<[string, (trackerId: string) => Record<string, unknown>, string]>([
    [
      'with a source but no tracker',
      () => ({ tracker_config: null, webhook_config: { source: 'github' } }),
      'tracker_config',
    ],
    [
      'for another trigger',
      (id) => ({ trigger: 'manual', tracker_config: { tracker_id: id, repository: 'acme/shop' } }),
      'tracker_config',
    ],
    [
      'unknown',
      () => ({ tracker_config: { tracker_id: crypto.randomUUID(), repository: 'acme/shop' } }),
      'tracker_config.tracker_id',
    ],
    [
      'with no repository',
      (id) => ({ tracker_config: { tracker_id: id, repository: 'shop' } }),
      'tracker_config.repository',
    ],
    [
      'not allowed for the repository',
      (id) => ({ tracker_config: { tracker_id: id, repository: 'other/shop' } }),
      'tracker_config.repository',
    ],
    ['with the source of another tracker', () => ({ webhook_config: { source: 'gitlab' } }), 'webhook_config.source'],
    [
      'with a user-defined secret',
      () => ({ webhook_config: { signing_secrets: ['mine'] } }),
      'webhook_config.signing_secrets',
    ],
  ])('is refused with the field name if it is %s (TRK-7)', async (_what, fieldsOf, field) => {
    const { body: tracker } = await trackers.connect('github', { repositories: ['acme/*'] });
    const config = { tracker_id: tracker.id, repository: 'acme/shop' };
    const flow = { name: 'f', prompt_template: 'x', agent_type: 'command', agent_config: { command: 'true' } };
    const fields = { trigger: 'tracker', tracker_config: config, ...fieldsOf(String(tracker.id)) };
    const { status, body } = await call('POST', '/flows', { ...flow, ...fields });
    expect([status, body.detail.field]).toEqual([422, field]);
  });

  it.each([
    ['gitlab', 'fork'],
    ['jira', 'board_created'],
    ['linear', 'Release'],
  ] as const)('%s has no hook for %s: the flow is refused when it is saved (TRK-7)', async (kind, type) => {
    const { body: tracker } = await trackers.connect(kind);
    const { repository } = PLAYED_PLACES[kind];
    const { status, body } = await call('POST', '/flows', {
      name: 'f',
      prompt_template: 'x',
      agent_type: 'command',
      agent_config: { command: 'true' },
      trigger: 'tracker',
      tracker_config: { tracker_id: tracker.id, repository },
      webhook_config: { event_types: [type] },
    });
    expect([status, body.detail.field]).toEqual([422, 'webhook_config.event_types']);
    expect(body.detail.message).toContain(`"${type}"`);
  });

  it('that is unavailable or hidden from the caller does not prevent disabling the flow (TRK-7)', async () => {
    const { flowId, flow, trackerId } = await trackers.addFlow('github');
    await call('PATCH', `/trackers/${trackerId}`, { repositories: ['acme/other'] });
    const enabled = await call('PATCH', `/flows/${flowId}`, { is_enabled: true });
    expect([enabled.status, enabled.body.detail.field]).toEqual([422, 'tracker_config.repository']);
    const read = { is_enabled: false, trigger: flow.trigger, tracker_config: flow.tracker_config };
    expect((await call('PATCH', `/flows/${flowId}`, read)).status).toBe(200);
    expect((await call('PATCH', `/flows/${flowId}`, { is_enabled: false })).body.is_enabled).toBe(false);
    expect((await call('PATCH', `/flows/${flowId}`, { is_enabled: true })).status).toBe(422);

    await call('PATCH', `/trackers/${trackerId}`, { repositories: [] });
    const { body: role } = await call('POST', '/roles', {
      name: 'editor only',
      permissions: ['view_flows', 'edit_flows'],
    });
    const editor = await trackers.people.add(trackers.owner().accessToken, String(role.name));
    const change = (fields: object) => call('PATCH', `/flows/${flowId}`, fields, editor.token);
    expect((await change({ is_enabled: true })).status).toBe(200);
    expect((await change({ is_enabled: false })).status).toBe(200);
    const config = { tracker_id: trackerId, repository: 'acme/other' };
    expect((await change({ tracker_config: config })).status).toBe(403);
  });
});
