import { createServer } from 'node:http';
import { verifyWebhook, WebhookVerificationError } from '@steward/webhook-verify';
import { createInbox, readSecrets } from './inbox.mjs';

const secrets = readSecrets();
const inbox = createInbox((event) => console.log(`handled ${event.type} ${event.id}`));
const MAX_BYTES = 128 * 1024;

const server = createServer(async (request, response) => {
  const answer = (status, body) => response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  if (request.method !== 'POST' || request.url !== '/events') return answer(404, '{"error":"not_found"}');
  try {
    const rawBody = await readBody(request);
    if (rawBody === undefined) return answer(413, '{"error":"too_large"}');
    const event = verifyWebhook(rawBody, request.headers, secrets);
    // The response is sent before the event is processed: after 10 seconds, the sender counts a failure and retries.
    answer(inbox.put(event) ? 202 : 200);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) return answer(500, '{"error":"internal"}');
    console.warn(`refused: ${error.code}`);
    answer(400, JSON.stringify({ error: error.code }));
  }
});

/** Returns the raw body; undefined if it is larger than any event. */
async function readBody(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.byteLength;
    // The rest is read and discarded, so that the sender receives the response.
    if (size <= MAX_BYTES) chunks.push(chunk);
  }
  return size <= MAX_BYTES ? Buffer.concat(chunks) : undefined;
}

server.listen(Number(process.env.PORT ?? 9000), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}/events`);
});
process.once('SIGTERM', () => server.close());
