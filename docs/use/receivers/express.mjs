import express from 'express';
import { verifyWebhook, WebhookVerificationError } from '@steward/webhook-verify';
import { createInbox, readSecrets } from './inbox.mjs';

const secrets = readSecrets();
const inbox = createInbox((event) => console.log(`handled ${event.type} ${event.id}`));
const app = express();

// Read the raw bytes for this route only, and before any express.json(), because the signature covers the received
// bytes.
app.post('/events', express.raw({ type: () => true, limit: '128kb' }), (request, response) => {
  const event = verifyWebhook(request.body, request.headers, secrets);
  // Respond before the work is done: after 10 seconds, the sender counts a failure and retries.
  response.status(inbox.put(event) ? 202 : 200).end();
});

app.use(express.json());

app.use((error, _request, response, next) => {
  if (!(error instanceof WebhookVerificationError)) return next(error);
  console.warn(`refused: ${error.code}`);
  response.status(400).json({ error: error.code });
});

const server = app.listen(Number(process.env.PORT ?? 9000), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}/events`);
});
process.once('SIGTERM', () => server.close());
