import type { HttpReceiver } from '@steward/testing';
import { runHere } from '../testing/run-here.ts';
import { startService } from '../testing/start-service.ts';

describe('deliveries on the command line', () => {
  let service: HttpReceiver;
  afterEach(() => service.close());

  async function run(args: readonly string[], answer: object) {
    service = await startService(() => [200, answer]);
    const out = await runHere(service.url, ['webhooks', ...args]);
    const [request] = service.requests;
    const body = request?.body.toString() ?? '';
    return { out, asked: `${request?.method} ${request?.path.replace('/api/v1/event-webhooks', '')} ${body}`.trim() };
  }

  it('are shown with the headers of each attempt', async () => {
    const attempt = {
      number: 1,
      started_at: '2026-11-20T09:00:00Z',
      duration_ms: 40,
      response_status: 503,
      error: 'HTTP 503',
    };
    const { out, asked } = await run(['delivery', 'd-1'], {
      ...{ event_type: 'session.ended', status: 'pending', event_id: 'e-1', endpoint_id: 'p-1' },
      attempts: [
        { ...attempt, request_headers: { 'X-Service-Attempt': '1' } },
        { ...attempt, number: 2, response_status: null, error: null, request_headers: null },
      ],
    });
    expect(asked).toBe('GET /deliveries/d-1');
    expect(out).toBe(
      'session.ended  pending  event e-1  to p-1\nattempt 1  2026-11-20T09:00:00Z  503 after 40 ms\n  X-Service-Attempt: 1\n' +
        'attempt 2  2026-11-20T09:00:00Z  no response after 40 ms\n',
    );
  });

  it('can be resent to one endpoint', async () => {
    const { out, asked } = await run(['resend', 'e-1', '--endpoint', 'p-1'], {
      delivery_ids: ['d-2'],
      skipped: ['p-2'],
    });
    expect([asked, out]).toEqual([
      'POST /deliveries/e-1/replay {"endpoint_id":"p-1"}',
      'd-2\nnot sent to endpoint p-2: it is inactive or deleted\n',
    ]);
  });

  it('can be created from the example of an event type', async () => {
    const { out, asked } = await run(['example', 'p-1', 'session.ended'], { delivery_ids: ['d-3'] });
    expect([asked, out]).toEqual(['POST /endpoints/p-1/test {"event_type":"session.ended"}', 'd-3\n']);
  });
});
