import { startHttpReceiver, type HttpReceiver, type ReceivedRequest } from '@steward/testing';

/** Imitates the service: responds to each request with JSON, or without a body. */
export function startService(
  answer: (request: ReceivedRequest) => readonly [status: number, body?: unknown],
): Promise<HttpReceiver> {
  return startHttpReceiver((request, response) => {
    const [status, body] = answer(request);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
