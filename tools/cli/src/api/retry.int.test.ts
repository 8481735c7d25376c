import { TIMEOUT_MS, startHttpReceiver, type HttpReceiver, type Respond } from '@steward/testing';
import { retryRequest } from './retry.ts';

describe('retrying a request', () => {
  let service: HttpReceiver;
  afterEach(() => service.close());

  async function send(respond: Respond, retries = 3) {
    service = await startHttpReceiver(respond);
    const pauses: number[] = [];
    const response = await retryRequest(() => fetch(service.url, { method: 'POST', body: 'same' }), {
      retries,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      firstDelayMs: 5,
      onRetry: (_reason, seconds) => void pauses.push(seconds),
    });
    return { status: response.status, tries: service.requests.length, pauses };
  }

  it.each([408, 429, 500, 502, 503, 504])('retries after %i', async (status) => {
    const outcome = await send(
      (_request, response, index) => void response.writeHead(index === 0 ? status : 202).end(),
    );
    expect([outcome.status, outcome.tries]).toEqual([202, 2]);
  });

  it.each([400, 401, 404, 409, 413, 422])('returns %i without a retry', async (status) => {
    const outcome = await send((_request, response) => void response.writeHead(status).end());
    expect([outcome.status, outcome.tries]).toEqual([status, 1]);
  });

  it('retries after an interrupted connection', async () => {
    const outcome = await send((_request, response, index) => {
      if (index < 2) response.destroy();
      else response.end();
    });
    expect([outcome.status, outcome.tries]).toEqual([200, 3]);
  });

  it('waits for the time requested by the service', async () => {
    const outcome = await send((_request, response, index) => {
      if (index === 0) response.writeHead(429, { 'retry-after': '1' }).end();
      else response.end();
    });
    expect(outcome.pauses).toEqual([1]);
  });

  it('returns the last response when the attempts are used up', async () => {
    const outcome = await send((_request, response) => void response.writeHead(503).end(), 2);
    expect([outcome.status, outcome.tries]).toEqual([503, 3]);
  });
});
