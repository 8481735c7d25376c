import type { Flow } from '../../api/answers.ts';
import { readFlow, type FlowValues } from './flow-draft.ts';

const flow = {
  agent_config: {},
  allowed_tools: [],
  webhook_config: {
    webhook_secret: 'flw_x',
    webhook_secret_hint: 'x',
    dedupe_path: 'number',
    source: 'github',
    signing_secrets: ['[hidden]'],
    event_types: ['push'],
    headers: ['x-extra'],
  },
} as unknown as Flow;
const read = (values: FlowValues, of?: Flow) =>
  (readFlow({ trigger: 'webhook', minutes: '1', ...values }, of) as { webhook_config?: object }).webhook_config;

describe('the webhook settings in the flow form', () => {
  it('contain fields that the form does not show, and the signing secret if none is entered', () => {
    expect(read({ source: 'github', signing_secret: ' ', event_types: '', filter: 'payload.a == 1' }, flow)).toEqual({
      dedupe_path: 'number',
      source: 'github',
      headers: ['x-extra'],
      filter: 'payload.a == 1',
    });
  });

  it('accept a new secret, and events with one per line', () => {
    const values = { source: 'gitlab', signing_secret: 'new', event_types: 'Push Hook\n\n merge_request.open' };
    expect(read(values)).toEqual({
      source: 'gitlab',
      signing_secrets: ['new'],
      event_types: ['Push Hook', 'merge_request.open'],
    });
  });

  it('omit the fields of the source if it is removed, and are omitted for a flow without a webhook', () => {
    expect(read({ source: '' }, flow)).toEqual({ dedupe_path: 'number' });
    expect(read({ trigger: 'manual' }, flow)).toBeUndefined();
  });

  it('include a tracker only if one was chosen', () => {
    expect(read({ trigger: 'tracker', tracker: '', repository: '' })).toBeUndefined();
    const values = { trigger: 'tracker', tracker: 't', repository: 'acme/shop', minutes: '1' };
    expect(readFlow(values, undefined)).toMatchObject({
      tracker_config: { tracker_id: 't', repository: 'acme/shop' },
    });
  });
});
