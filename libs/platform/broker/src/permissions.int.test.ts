import {
  APP_NAMES,
  DEAD_LETTER_STREAM,
  MESSAGES,
  type AppName,
  type MessageName,
  type MessagePayload,
} from '@steward/contracts';
import { newId } from '@steward/crypto';
import { askJetStream, trySubscribe } from '@steward/testing';
import { connectTestBroker, eventually, startServer, useTestBrokers, type TestServer } from './testing/test-broker.ts';

useTestBrokers();

const NAMES = Object.keys(MESSAGES) as MessageName[];
const PAYLOADS: { readonly [Name in MessageName]: () => MessagePayload<Name> } = {
  'chunk-written': () => ({
    account_id: newId(),
    runtime_session_id: newId(),
    source_kind: 'tool_call',
    source_id: newId(),
    content_hash: '0'.repeat(64),
    chunk_count: 1,
  }),
  'event-emitted': () => ({
    account_id: newId(),
    event_id: newId(),
    event_type: 'session.ended',
    generation: 1,
    delivery_count: 1,
  }),
  'trigger-accepted': () => ({ account_id: newId(), flow_id: newId(), execution_id: newId() }),
};

const publish = (broker: Awaited<ReturnType<typeof connectApp>>['broker'], name: MessageName) =>
  broker.publish(name, PAYLOADS[name]() as never);
const consumedBy = (app: AppName) => NAMES.filter((name) => MESSAGES[name].consumer.app === app);
const publishedBy = (app: AppName) =>
  NAMES.filter((name) => (MESSAGES[name].publishers as readonly AppName[]).includes(app));

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

function connectApp(app: AppName) {
  return connectTestBroker(server.urlFor(app), MESSAGES, { name: app, app, retryDelay: () => 20 });
}

describe('an app with its own credentials', () => {
  it.each(APP_NAMES)(
    '%s finds or creates its streams, in any order of apps, without being denied anything',
    async (app) => {
      const { broker, lines } = await connectApp(app);
      await broker.ensureStreams();
      await broker.ensureStreams();
      for (const name of publishedBy(app)) expect((await publish(broker, name)).kind).toBe('published');
      await broker.checkHealth();
      expect(lines).toEqual([]);
      await broker.close();
    },
  );

  it.each(NAMES)('%s is delivered again after a failure, and an invalid one becomes a dead letter', async (name) => {
    const contract = MESSAGES[name];
    const sender = await connectApp(contract.publishers[0] as AppName);
    await sender.broker.ensureStreams();
    const { broker, lines } = await connectApp(contract.consumer.app);
    await broker.ensureStreams();
    const seen = new Map<string, number>();
    const handle = (_payload: unknown, { messageId, deliveryCount }: { messageId: string; deliveryCount: number }) => {
      seen.set(messageId, deliveryCount);
      if (deliveryCount === 1) throw new Error('the first time');
    };
    broker.consume(name, handle, { concurrency: 4 });
    await publish(sender.broker, name);
    await askJetStream(server.url, contract.subject, 'not JSON at all');
    await eventually(() => expect([...seen.values()].every((count) => count === 2) && seen.size > 0).toBe(true));
    await eventually(() => expect(lines.some(({ outcome }) => outcome === 'dead_lettered')).toBe(true));
    expect(lines.filter(({ event }) => event === 'broker.permission_denied')).toEqual([]);
    await Promise.all([broker.close(), sender.broker.close()]);
  });

  it('continues after a restart of the broker, and creates missing streams again', async () => {
    const { broker, lines } = await connectApp('api-gateway');
    await broker.ensureStreams();
    await server.restart();
    await eventually(async () => expect((await publish(broker, 'trigger-accepted')).kind).toBe('published'));
    await askJetStream(server.url, `STREAM.DELETE.${MESSAGES['trigger-accepted'].stream}`);
    expect((await publish(broker, 'trigger-accepted')).kind).toBe('published');
    expect(lines.filter(({ event }) => event === 'broker.permission_denied')).toEqual([]);
    await broker.close();
  });

  it('drops waiting messages without reading them if the message allows it', async () => {
    const sender = await connectApp('api-gateway');
    await sender.broker.ensureStreams();
    for (let n = 0; n < 20; n += 1) await publish(sender.broker, 'event-emitted');
    const { broker, metrics } = await connectApp('webhook-dispatcher');
    await broker.ensureStreams();
    broker.consume('event-emitted', () => undefined, { concurrency: 2, dropBeyond: 2 });
    await eventually(async () => expect(await metrics.render()).toMatch(/outcome="dropped"[^}]*\} [1-9]/));
    await Promise.all([broker.close(), sender.broker.close()]);
  });

  it('leaves a stream with the settings of another release unchanged, and reports it', async () => {
    const { stream } = MESSAGES['chunk-written'];
    const { config } = await askJetStream<{ config: object }>(server.url, `STREAM.INFO.${stream}`);
    await askJetStream(server.url, `STREAM.UPDATE.${stream}`, { ...config, max_bytes: 1_000_000 });
    const { broker, lines } = await connectApp('search-indexer');
    await broker.ensureStreams();
    expect(lines.find(({ event }) => event === 'stream.not_updated')).toMatchObject({ stream });
    expect((await publishAs('api-gateway', 'chunk-written')).kind).toBe('published');
    const operator = await connectTestBroker(server.url, MESSAGES);
    await operator.broker.ensureStreams();
    const { config: after } = await askJetStream<{ config: object }>(server.url, `STREAM.INFO.${stream}`);
    expect(after).toEqual(config);
    await Promise.all([broker.close(), operator.broker.close()]);
  });

  async function publishAs(app: AppName, name: MessageName) {
    const { broker } = await connectApp(app);
    const published = await publish(broker, name);
    await broker.close();
    return published;
  }
});

describe('an intruder', () => {
  const DENIED = /Permissions Violation/;
  const streams = [...new Set(NAMES.map((name) => MESSAGES[name].stream)), DEAD_LETTER_STREAM];
  const countMessages = async () =>
    Promise.all(
      streams.map(async (stream) => {
        const { state } = await askJetStream<{ state: { messages: number } }>(server.url, `STREAM.INFO.${stream}`);
        return [stream, state.messages];
      }),
    );

  beforeAll(async () => {
    const { broker } = await connectTestBroker(server.url, MESSAGES);
    await broker.ensureStreams();
    for (const name of NAMES) await publish(broker as never, name);
    await broker.close();
  });

  it('without a password, or with a wrong one, is refused', async () => {
    const address = new URL(server.url).host;
    for (const login of ['', 'operator@', 'operator:guess@', 'api-gateway:guess@', 'nobody:guess@', 'sys:sys@']) {
      await expect(askJetStream(`nats://${login}${address}`, 'INFO')).rejects.toThrow(/Authorization Violation|closed/);
    }
  });

  it.each(APP_NAMES)('with the credentials of %s cannot change, delete or read a stream', async (app) => {
    const url = server.urlFor(app);
    const before = await countMessages();
    for (const stream of streams) {
      const requests = [
        `STREAM.DELETE.${stream}`,
        `STREAM.UPDATE.${stream}`,
        `STREAM.MSG.GET.${stream}`,
        `STREAM.MSG.DELETE.${stream}`,
        `STREAM.SNAPSHOT.${stream}`,
        `STREAM.RESTORE.${stream}`,
        `DIRECT.GET.${stream}`,
        `CONSUMER.CREATE.${stream}`,
        `CONSUMER.CREATE.${stream}.intruder`,
        `CONSUMER.DURABLE.CREATE.${stream}.intruder`,
        `CONSUMER.LIST.${stream}`,
      ];
      for (const request of requests) await expect(askJetStream(url, request, {})).rejects.toThrow(DENIED);
      const mayDrop = consumedBy(app).some((name) => MESSAGES[name].stream === stream && name === 'event-emitted');
      if (!mayDrop) await expect(askJetStream(url, `STREAM.PURGE.${stream}`)).rejects.toThrow(DENIED);
    }
    for (const request of ['STREAM.LIST', 'STREAM.NAMES', 'STREAM.CREATE.INTRUDER', '$SYS.REQ.SERVER.PING']) {
      await expect(askJetStream(url, request, {})).rejects.toThrow(DENIED);
    }
    expect(await countMessages()).toEqual(before);
  });

  it.each(APP_NAMES)('with the credentials of %s cannot publish messages of another app', async (app) => {
    const before = await countMessages();
    for (const name of NAMES.filter((each) => !publishedBy(app).includes(each))) {
      await expect(askJetStream(server.urlFor(app), MESSAGES[name].subject, PAYLOADS[name]())).rejects.toThrow(DENIED);
    }
    for (const name of NAMES.filter((each) => !consumedBy(app).includes(each))) {
      const { stream, consumer } = MESSAGES[name];
      for (const subject of [
        `steward.dead-letter.${name}`,
        `$JS.ACK.${stream}.${consumer.durable}.1.1.1.1.0`,
        `$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer.durable}`,
      ]) {
        await expect(askJetStream(server.urlFor(app), subject)).rejects.toThrow(DENIED);
      }
    }
    expect(await countMessages()).toEqual(before);
  });

  it.each(APP_NAMES)('with the credentials of %s can only subscribe to its own replies', async (app) => {
    const other = app === 'api-gateway' ? 'flow-trigger' : 'api-gateway';
    for (const subject of ['>', 'steward.>', '_INBOX.>', `_INBOX.${other}.>`, '$JS.>', '$SYS.>', 'anything']) {
      await expect(trySubscribe(server.urlFor(app), subject)).rejects.toThrow(DENIED);
    }
    await expect(trySubscribe(server.urlFor(app), `_INBOX.${app}.>`)).resolves.toBeUndefined();
  });
});
