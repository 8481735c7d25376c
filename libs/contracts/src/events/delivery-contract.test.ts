import { DELIVERY_CONTRACT } from './delivery-contract.ts';
import { EVENT_ENVELOPE_VERSION, MAX_EVENT_BYTES } from './envelope.ts';

/** Receivers rely on each of these values, so a change requires a new version. */
describe('guarantees for receivers', () => {
  it('include the names of the headers (HOOK-14, HOOK-15)', () => {
    const { signatureHeader, eventIdHeader, eventTypeHeader, deliveryIdHeader, attemptHeader } = DELIVERY_CONTRACT;
    expect([signatureHeader, attemptHeader]).toEqual(['X-Service-Signature', 'X-Service-Attempt']);
    const ids = [eventIdHeader, eventTypeHeader, deliveryIdHeader];
    expect(ids).toEqual(['X-Service-Event-Id', 'X-Service-Event-Type', 'X-Service-Delivery-Id']);
    expect(DELIVERY_CONTRACT.userAgent).toBe('Service-Webhook/1');
  });

  it('include those of Standard Webhooks, in the form that its verifiers expect (HOOK-16)', () => {
    expect(DELIVERY_CONTRACT).toMatchObject({
      standardIdHeader: 'webhook-id',
      standardTimestampHeader: 'webhook-timestamp',
      standardSignatureHeader: 'webhook-signature',
    });
  });

  it('include five minutes of clock tolerance, and a version shared by events and headers (HOOK-15, EVT-2)', () => {
    expect(DELIVERY_CONTRACT.toleranceSeconds).toBe(300);
    expect(EVENT_ENVELOPE_VERSION).toBe('1');
    expect(DELIVERY_CONTRACT.userAgent.endsWith(`/${EVENT_ENVELOPE_VERSION}`)).toBe(true);
  });

  it('include six attempts with growing delays, about an hour in total (HOOK-20)', () => {
    const { maxAttempts, retryDelaysSeconds, jitterMin, jitterMax } = DELIVERY_CONTRACT;
    expect(maxAttempts).toBe(6);
    expect(retryDelaysSeconds).toEqual([10, 60, 300, 900, 2400]);
    expect(retryDelaysSeconds).toHaveLength(maxAttempts - 1);
    expect([jitterMin, jitterMax]).toEqual([0.8, 1.2]);
    const total = retryDelaysSeconds.reduce((sum, delay) => sum + delay, 0);
    expect(total * jitterMax).toBeLessThan(90 * 60);
  });

  it('include growing delays for any jitter', () => {
    const { retryDelaysSeconds, jitterMin, jitterMax } = DELIVERY_CONTRACT;
    const longest = retryDelaysSeconds.map((delay) => delay * jitterMax);
    const shortest = retryDelaysSeconds.map((delay) => delay * jitterMin);
    expect(shortest.slice(1).filter((delay, index) => delay <= (longest[index] ?? 0))).toEqual([]);
  });

  it('include ten seconds for a response, and any 2xx status for a success (HOOK-19)', () => {
    expect(DELIVERY_CONTRACT.timeoutSeconds).toBe(10);
    expect(DELIVERY_CONTRACT.success).toBe('any 2xx');
  });

  it('include the maximum size of a body (EVT-7, LIM-29)', () => {
    expect(MAX_EVENT_BYTES).toBe(64 * 1024);
  });
});
