import { SUBSCRIBABLE_EVENT_TYPES } from '@steward/contracts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { useEventWebhooks } from '../../../testing/event-webhook-tests.ts';

const { call } = useEventWebhooks();

describe('the catalog of event webhooks', () => {
  it('lists every subscribable type with a schema that its example conforms to, and the current contract version (HOOK-37, EVT-9, EVT-13)', async () => {
    const { status, body } = await call('GET', '/catalogue');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      version: '1',
      signature_header: 'X-Service-Signature',
      tolerance_seconds: 300,
      max_attempts: 6,
      retry_delays_seconds: [10, 60, 300, 900, 2400],
      timeout_seconds: 7.5,
      success: 'any 2xx',
    });
    expect(body.event_types.map(({ name }: { readonly name: string }) => name)).toEqual(SUBSCRIBABLE_EVENT_TYPES);
    const ajv = ajvFormats.default(new Ajv2020({ strict: true, allowUnionTypes: true }));
    for (const type of body.event_types) {
      expect(type.description).not.toBe('');
      expect(ajv.validate(type.data_schema, type.example)).toBe(true);
    }
    expect(body.event_types.map((type: { name: string }) => type.name)).not.toContain('webhook.test');
  });
});
