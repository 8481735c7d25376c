import Fastify from 'fastify';
import { verifyWebhook, WebhookVerificationError } from '@steward/webhook-verify';
import { createInbox, readSecrets } from './inbox.mjs';

const secrets = readSecrets();
const inbox = createInbox((event) => console.log(`handled ${event.type} ${event.id}`));
const app = Fastify();

// A separate plugin: its body parser passes on the raw bytes, and the rest of the app keeps Fastify's JSON parser.
app.register(async (webhooks) => {
  webhooks.removeAllContentTypeParsers();
  webhooks.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 128 * 1024 }, (_request, body, done) => {
    done(null, body);
  });

  webhooks.post('/events', async (request, reply) => {
    const event = verifyWebhook(request.body, request.headers, secrets);
    // The response is sent before the event is processed: after 10 seconds, the sender counts a failure and retries.
    return reply.code(inbox.put(event) ? 202 : 200).send();
  });

  webhooks.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof WebhookVerificationError)) throw error;
    console.warn(`refused: ${error.code}`);
    return reply.code(400).send({ error: error.code });
  });
});

const address = await app.listen({ port: Number(process.env.PORT ?? 9000), host: '127.0.0.1' });
console.log(`listening on ${address}/events`);
process.once('SIGTERM', () => app.close());
