import { BrokerUnavailableError, InvalidMessageError } from './broker-errors.ts';
import { askJetStream } from '@steward/testing';
import { startRelay } from './testing/start-relay.ts';
import { defineGreeting } from './testing/define-greeting.ts';
import { connectTestBroker, eventually, startServer, useTestBrokers, type TestServer } from './testing/test-broker.ts';

useTestBrokers();

const catalogue = { hello: defineGreeting('hello') };
let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

describe('streams', () => {
  it('five processes that start at the same time all find their streams, in any order', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => connectTestBroker(server.url, catalogue)));
    await Promise.all(all.map(({ broker }) => broker.ensureStreams()));
    await Promise.all(all.map(({ broker }) => broker.ensureStreams()));
    const results = await Promise.all(
      all.map(({ broker }, index) => broker.publish('hello', { id: `five-${index}`, text: 'x' })),
    );
    expect(new Set(results.map((result) => result.sequence)).size).toBe(5);
    await Promise.all(all.map(({ broker }) => broker.close()));
  });

  it('a newer release that adds a message does not interrupt messages of the older release', async () => {
    const newer = { hello: catalogue.hello, bye: defineGreeting('bye', { ackWaitSeconds: 10 }) };
    const [older, latest] = await Promise.all([
      connectTestBroker(server.url, catalogue),
      connectTestBroker(server.url, newer),
    ]);
    await latest.broker.ensureStreams();
    await older.broker.ensureStreams();
    expect((await latest.broker.publish('bye', { id: 'b1', text: 'x' })).duplicate).toBe(false);
    expect((await older.broker.publish('hello', { id: 'h1', text: 'x' })).duplicate).toBe(false);
    await Promise.all([older.broker.close(), latest.broker.close()]);
  });

  it('the backlog of a message has the number of unhandled ones and the time of the oldest', async () => {
    const waiting = { wait: { ...defineGreeting('wait'), stream: 'STEWARD_TEST_WAIT' } as const };
    const { broker } = await connectTestBroker(server.url, waiting);
    await broker.ensureStreams();
    expect(await broker.readBacklog('wait')).toEqual({ messages: 0, oldestAt: undefined });
    const before = Date.now();
    for (const id of ['w1', 'w2']) await broker.publish('wait', { id, text: 'x' });
    const { messages, oldestAt } = await broker.readBacklog('wait');
    expect(messages).toBe(2);
    expect(Math.abs((oldestAt?.getTime() ?? 0) - before)).toBeLessThan(60_000);
    await broker.close();
  });

  it('the limits of an existing consumer are updated from its contract', async () => {
    const changed = { hello: defineGreeting('hello', { ackWaitSeconds: 7, maxAckPending: 5 }) };
    const { broker } = await connectTestBroker(server.url, changed);
    await expect(broker.ensureStreams()).resolves.toBeUndefined();
    await broker.close();
  });
});

describe('publishing', () => {
  it('messages of one commit are each stored once, in order, and counted', async () => {
    const { broker, metrics } = await connectTestBroker(server.url, catalogue);
    await broker.ensureStreams();
    const { sequence } = await broker.publish('hello', { id: 'before-hints', text: 'x' });
    broker.publishHints('hello', []);
    const hints = Array.from({ length: 30 }, (_, index) => ({ id: `together-${index % 20}`, text: 'x' }));
    broker.publishHints('hello', hints);
    await eventually(async () => {
      expect(await metrics.render()).toMatch(
        /steward_messages_published_total\{message="hello",result="(?:stored|duplicate)"[^}]*\} (?:30|31)$/m,
      );
      return true;
    });
    const after = await broker.publish('hello', { id: 'after-hints', text: 'x' });
    expect(after.sequence).toBe(sequence + 21);
    await broker.close();
  });

  it('the same fact published twice is stored once', async () => {
    const { broker, metrics } = await connectTestBroker(server.url, catalogue);
    await broker.ensureStreams();
    const first = await broker.publish('hello', { id: 'same', text: 'one' });
    const second = await broker.publish('hello', { id: 'same', text: 'one' });
    expect(first).toMatchObject({ kind: 'published', duplicate: false });
    expect(second).toEqual({ ...first, duplicate: true });
    expect(await metrics.render()).toMatch(
      /steward_messages_published_total\{message="hello",result="duplicate"[^}]*\} 1/,
    );
    await broker.close();
  });

  it('a payload with an unknown or missing key is refused as a programming error', async () => {
    const { broker } = await connectTestBroker(server.url, catalogue);
    const extra = { id: 'x', text: 'x', colour: 'red' };
    await expect(broker.publish('hello', extra)).rejects.toBeInstanceOf(InvalidMessageError);
    await expect(broker.publish('hello', { id: 'x' } as never)).rejects.toThrow(/text/);
    await broker.close();
  });

  it('a business key with line breaks cannot forge a header', async () => {
    const { broker } = await connectTestBroker(server.url, catalogue);
    await broker.ensureStreams();
    const id = 'a\r\nNats-Expected-Stream: OTHER\r\n\r\nx';
    expect((await broker.publish('hello', { id, text: 'x' })).duplicate).toBe(false);
    expect((await broker.publish('hello', { id, text: 'x' })).duplicate).toBe(true);
    await broker.close();
  });

  it('a stream that was deleted while the process is running is created again by the next message', async () => {
    const { broker } = await connectTestBroker(server.url, catalogue);
    await broker.ensureStreams();
    await askJetStream(server.url, 'STREAM.DELETE.STEWARD_TEST');
    expect(await broker.publish('hello', { id: 'healed', text: 'x' })).toMatchObject({
      kind: 'published',
      sequence: 1,
    });
    await broker.close();
  });
});

describe('an unavailable broker', () => {
  it('makes publish fail, and publishHint return immediately with one warning and no pending work', async () => {
    const own = await startServer();
    const { broker, metrics, lines } = await connectTestBroker(own.url, catalogue);
    await broker.ensureStreams();
    await own.kill();
    await eventually(() => expect(broker.isConnected()).toBe(false));

    await expect(broker.publish('hello', { id: 'a', text: 'x' })).rejects.toBeInstanceOf(BrokerUnavailableError);
    const before = process.cpuUsage();
    for (let index = 0; index < 1000; index += 1) broker.publishHint('hello', { id: `hint-${index}`, text: 'x' });
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000);

    await eventually(async () =>
      expect(await metrics.render()).toMatch(/steward_message_publish_failures_total\{message="hello"[^}]*\} 1001/),
    );
    expect(lines.filter((line) => line['event'] === 'message.publish_failed')).toHaveLength(1);

    await own.restart();
    await eventually(() => expect(broker.isConnected()).toBe(true));
    await eventually(() => {
      broker.publishHint('hello', { id: 'back', text: 'x' });
      expect(lines.map((line) => line['event'])).toContain('message.publish_recovered');
    });
    // The sequence number is 2: the hints published during the outage were dropped instead of being buffered and sent
    // later.
    expect((await broker.publish('hello', { id: 'next', text: 'x' })).sequence).toBe(2);
    await broker.close();
    await own.stop();
  });

  it('limits the number of buffered messages', async () => {
    const relay = await startRelay(server.url);
    const { broker, metrics } = await connectTestBroker(relay.url, catalogue);
    await broker.ensureStreams();
    relay.stall();
    for (let index = 0; index < 2000; index += 1) broker.publishHint('hello', { id: `hint-${index}`, text: 'x' });
    expect(await metrics.render()).toMatch(/steward_message_publish_failures_total\{message="hello"[^}]*\} 1488/);
    relay.resume();
    await broker.close();
    relay.close();
  });
});
