import { DEAD_LETTER_STREAM } from '@steward/contracts';
import { PoisonMessage, RetryLater } from './broker-errors.ts';
import { DEAD_LETTER_HEADERS } from './dead-letter.ts';
import { askJetStream } from './testing/jetstream-admin.ts';
import { defineGreeting, type Greeting } from './testing/define-greeting.ts';
import { connectTestBroker, eventually, startServer, type TestServer } from './testing/test-broker.ts';

let server: TestServer;
let counter = 0;

beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.stop());

function connectGreetings(consumer: Parameters<typeof defineGreeting>[1] = {}, retryDelay?: (count: number) => number) {
  const catalogue = { hello: defineGreeting('hello', consumer) };
  return connectTestBroker(server.url, catalogue, retryDelay === undefined ? {} : { retryDelay });
}

function greet(text = 'x'): Greeting {
  counter += 1;
  return { id: `greeting-${counter}`, text };
}

interface StreamState {
  readonly state: { readonly messages: number; readonly first_seq: number; readonly last_seq: number };
}

/** Body and our own headers of every dead letter so far. */
async function listDeadLetters(): Promise<Record<string, string | undefined>[]> {
  const { state } = await askJetStream<StreamState>(server.url, `STREAM.INFO.${DEAD_LETTER_STREAM}`);
  const letters: Record<string, string | undefined>[] = [];
  for (let seq = state.first_seq; seq <= state.last_seq && state.messages > 0; seq += 1) {
    const request = `STREAM.MSG.GET.${DEAD_LETTER_STREAM}`;
    const { message } = await askJetStream<{ message: { hdrs: string; data: string } }>(server.url, request, { seq });
    const head = Buffer.from(message.hdrs, 'base64').toString('utf8');
    const headers = Object.values(DEAD_LETTER_HEADERS).map((name) => [
      name,
      new RegExp(`^${name}: (.*)\r$`, 'm').exec(head)?.[1],
    ]);
    letters.push({ ...Object.fromEntries(headers), body: Buffer.from(message.data, 'base64').toString('utf8') });
  }
  return letters;
}

async function countUnhandled(): Promise<{ stored: number; unacknowledged: number }> {
  const { state } = await askJetStream<StreamState>(server.url, 'STREAM.INFO.STEWARD_TEST');
  const consumer = await askJetStream<{ num_ack_pending: number }>(
    server.url,
    'CONSUMER.INFO.STEWARD_TEST.test_hello-v1',
  );
  return { stored: state.messages, unacknowledged: consumer.num_ack_pending };
}

/** Puts bytes on the subject as another program would. */
async function publishRaw(body: string): Promise<void> {
  await askJetStream(server.url, 'steward.test.hello.v1', body);
}

describe('consuming', () => {
  it('every message is handled once, acknowledged and gone from the queue', async () => {
    const { broker, lines, metrics } = await connectGreetings();
    await broker.ensureStreams();
    const seen: string[] = [];
    broker.consume('hello', (payload) => void seen.push(payload.text), { concurrency: 4 });
    for (let index = 0; index < 50; index += 1) await broker.publish('hello', greet(String(index)));
    await eventually(() => expect(seen).toHaveLength(50));
    expect(new Set(seen).size).toBe(50);
    await eventually(async () => expect(await countUnhandled()).toEqual({ stored: 0, unacknowledged: 0 }));
    expect(lines.find((line) => line['event'] === 'message.handled')).toMatchObject({
      level: 'debug',
      message: 'hello',
      message_id: expect.stringMatching(/^greeting-/) as string,
      delivery_count: 1,
      outcome: 'ok',
    });
    expect(await metrics.render()).toMatch(/steward_messages_handled_total\{message="hello",outcome="ok"[^}]*\} 50/);
    await broker.close();
  });

  it('a consumer that starts before any stream exists sets them up itself', async () => {
    const { broker } = await connectGreetings();
    const seen: string[] = [];
    broker.consume('hello', (payload) => void seen.push(payload.text), { concurrency: 1 });
    await eventually(async () => expect((await broker.publish('hello', greet('first'))).kind).toBe('published'));
    await eventually(() => expect(seen).toEqual(['first']));
    await broker.close();
  });

  it('at most as many handlers run at once as asked for', async () => {
    const { broker } = await connectGreetings();
    await broker.ensureStreams();
    let runningNow = 0;
    let most = 0;
    let ended = 0;
    for (let index = 0; index < 30; index += 1) await broker.publish('hello', greet());
    const handler = async () => {
      runningNow += 1;
      most = Math.max(most, runningNow);
      await new Promise((resolve) => setTimeout(resolve, 5));
      runningNow -= 1;
      ended += 1;
    };
    broker.consume('hello', handler, { concurrency: 3 });
    await eventually(() => expect(ended).toBe(30));
    expect(most).toBe(3);
    await broker.close();
  });

  it('a field this release does not know yet is ignored', async () => {
    const { broker } = await connectGreetings();
    await broker.ensureStreams();
    const seen: Greeting[] = [];
    broker.consume('hello', (payload) => void seen.push(payload), { concurrency: 1 });
    await publishRaw(JSON.stringify({ id: 'n', text: 'new', colour: 'red' }));
    await eventually(() => expect(seen).toEqual([{ id: 'n', text: 'new', colour: 'red' }]));
    await broker.close();
  });
});

describe('messages that cannot be handled', () => {
  it.each([
    ['no JSON', 'not json {', 'not valid JSON'],
    ['a wrong field', '{"id":"1","text":7}', 'does not fit the schema: /text must be string'],
  ])('%s goes to the dead letters with the reason and is not delivered again', async (_title, body, reason) => {
    const { broker, lines } = await connectGreetings({ ackWaitSeconds: 1 });
    await broker.ensureStreams();
    const seen: Greeting[] = [];
    broker.consume('hello', (payload) => void seen.push(payload), { concurrency: 2 });
    await publishRaw(body);
    await eventually(async () => expect(await listDeadLetters()).toHaveLength(1));
    expect((await listDeadLetters())[0]).toEqual({
      'Steward-Reason': reason,
      'Steward-Subject': 'steward.test.hello.v1',
      'Steward-Durable': 'test_hello-v1',
      'Steward-Sequence': '1',
      'Steward-Delivery-Count': '1',
      body,
    });
    await eventually(async () => expect(await countUnhandled()).toEqual({ stored: 0, unacknowledged: 0 }));
    expect(seen).toEqual([]);
    expect(lines.filter((line) => line['event'] === 'message.handled')).toEqual([
      expect.objectContaining({ level: 'error', outcome: 'dead_lettered', reason }),
    ]);
    await broker.close();
  });

  it('a handler may declare a message poison', async () => {
    const { broker } = await connectGreetings();
    await broker.ensureStreams();
    let calls = 0;
    const handler = () => {
      calls += 1;
      throw new PoisonMessage('the flow\r\nof this message was deleted');
    };
    broker.consume('hello', handler, { concurrency: 1 });
    await broker.publish('hello', greet());
    await eventually(async () =>
      expect((await listDeadLetters())[0]?.['Steward-Reason']).toBe('the flow of this message was deleted'),
    );
    expect(calls).toBe(1);
    await broker.close();
  });

  it('a failing handler is tried again with growing delays and then becomes a dead letter', async () => {
    const { broker, lines } = await connectGreetings({ maxDeliver: 3 }, (count) => 100 * 2 ** count);
    await broker.ensureStreams();
    const calls: { at: number; deliveryCount: number }[] = [];
    broker.consume(
      'hello',
      (_payload, { deliveryCount }) => {
        calls.push({ at: performance.now(), deliveryCount });
        throw new Error('the database said no, Bearer abcdefghijklmnop');
      },
      { concurrency: 1 },
    );
    await broker.publish('hello', greet());
    await eventually(async () => expect(await listDeadLetters()).toHaveLength(1));
    expect(calls.map((call) => call.deliveryCount)).toEqual([1, 2, 3]);
    const gaps = calls.slice(1).map((call, index) => call.at - (calls[index]?.at ?? 0));
    expect(gaps[0]).toBeGreaterThan(190);
    expect(gaps[1]).toBeGreaterThan(390);
    const reason = (await listDeadLetters())[0]?.['Steward-Reason'];
    expect(reason).toContain('failed 3 times, at last with: the database said no');
    expect(reason).not.toContain('abcdefghijklmnop');
    const outcomes = lines
      .filter((line) => line['event'] === 'message.handled')
      .map((line) => [line['level'], line['outcome']]);
    expect(outcomes).toEqual([
      ['warn', 'retried'],
      ['warn', 'retried'],
      ['error', 'dead_lettered'],
    ]);
    await broker.close();
  });

  it('RetryLater brings the message back after the asked delay, more often than failures are allowed', async () => {
    const { broker } = await connectGreetings({ maxDeliver: 2 });
    await broker.ensureStreams();
    const at: number[] = [];
    const handler = () => {
      at.push(performance.now());
      if (at.length < 4) throw new RetryLater(150);
    };
    broker.consume('hello', handler, { concurrency: 1 });
    await broker.publish('hello', greet());
    await eventually(async () => expect(await countUnhandled()).toEqual({ stored: 0, unacknowledged: 0 }));
    expect(at).toHaveLength(4);
    expect((at[3] ?? 0) - (at[0] ?? 0)).toBeGreaterThan(440);
    expect(await listDeadLetters()).toEqual([]);
    await broker.close();
  });
});

describe('long handlers', () => {
  it('a handler that runs longer than ackWait keeps its message', async () => {
    const { broker } = await connectGreetings({ ackWaitSeconds: 1 });
    await broker.ensureStreams();
    let calls = 0;
    let ended = 0;
    const handler = async () => {
      calls += 1;
      await new Promise((resolve) => setTimeout(resolve, 3200));
      ended += 1;
    };
    broker.consume('hello', handler, { concurrency: 4 });
    await broker.publish('hello', greet());
    await eventually(async () => expect(await countUnhandled()).toEqual({ stored: 0, unacknowledged: 0 }));
    expect([calls, ended]).toEqual([1, 1]);
    await broker.close();
  });
});

describe('stopping', () => {
  it('finishes the running handler and leaves the rest to another process, at once and untouched', async () => {
    const [first, second] = [await connectGreetings(), await connectGreetings()];
    await first.broker.ensureStreams();
    for (let index = 0; index < 10; index += 1) await first.broker.publish('hello', greet(String(index)));
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const handledByFirst: string[] = [];
    const handler = async (payload: Greeting) => {
      await gate;
      handledByFirst.push(payload.text);
    };
    const consumption = first.broker.consume('hello', handler, { concurrency: 2 });
    await eventually(async () => expect((await countUnhandled()).unacknowledged).toBe(2));
    const stopping = consumption.stop(5000);
    release();
    expect(await stopping).toBe(true);
    await first.broker.close();
    expect(handledByFirst).toEqual(['0', '1']);
    expect(await countUnhandled()).toEqual({ stored: 8, unacknowledged: 0 });

    const deliveries: number[] = [];
    second.broker.consume('hello', (_payload, context) => void deliveries.push(context.deliveryCount), {
      concurrency: 4,
    });
    await eventually(() => expect(deliveries).toEqual(Array.from({ length: 8 }, () => 1)));
    await second.broker.close();
  });

  it('under a stream of messages nothing stays blocked until ackWait', async () => {
    const first = await connectGreetings();
    await first.broker.ensureStreams();
    for (let index = 0; index < 300; index += 1) await first.broker.publish('hello', greet());
    let handled = 0;
    const consumption = first.broker.consume('hello', () => void (handled += 1), { concurrency: 8 });
    await eventually(() => expect(handled).toBeGreaterThan(50));
    expect(await consumption.stop(5000)).toBe(true);
    await first.broker.close();
    expect(await countUnhandled()).toEqual({ stored: 300 - handled, unacknowledged: 0 });
  });

  it('hints that pile up are dropped, and one that is handled after that stands for them', async () => {
    const { broker } = await connectGreetings();
    await broker.ensureStreams();
    for (let index = 0; index < 500; index += 1) await broker.publish('hello', greet());
    const storedWhenHandled: number[] = [];
    const look = async () => void storedWhenHandled.push((await countUnhandled()).stored);
    const consumption = broker.consume('hello', look, { concurrency: 4, dropBeyond: 4 });
    await eventually(async () => expect(await countUnhandled()).toEqual({ stored: 0, unacknowledged: 0 }));
    expect(storedWhenHandled[0]).toBe(0);
    expect(storedWhenHandled.length).toBeLessThan(10);
    // One that comes alone is handled as any other.
    const handled = storedWhenHandled.length;
    await broker.publish('hello', greet());
    await eventually(() => expect(storedWhenHandled.length).toBe(handled + 1));
    await consumption.stop(1000);
    await broker.close();
  });

  it('an idle consumer stops at once', async () => {
    const { broker } = await connectGreetings();
    await broker.ensureStreams();
    const consumption = broker.consume('hello', () => undefined, { concurrency: 8 });
    await eventually(async () => expect((await countUnhandled()).unacknowledged).toBe(0));
    const startedAt = performance.now();
    expect(await consumption.stop(5000)).toBe(true);
    expect(performance.now() - startedAt).toBeLessThan(1000);
    await broker.close();
  });

  it('a handler that does not end by the deadline gives its message to another process', async () => {
    const [first, second] = [await connectGreetings(), await connectGreetings()];
    await first.broker.ensureStreams();
    await first.broker.publish('hello', greet());
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const consumption = first.broker.consume('hello', () => gate, { concurrency: 1 });
    await eventually(async () => expect((await countUnhandled()).unacknowledged).toBe(1));
    expect(await consumption.stop(100)).toBe(false);
    let deliveredTo = 0;
    second.broker.consume('hello', (_payload, context) => void (deliveredTo = context.deliveryCount), {
      concurrency: 1,
    });
    await eventually(() => expect(deliveredTo).toBe(2));
    release();
    expect(first.lines.filter((line) => line['event'] === 'message.handled')).toEqual([
      expect.objectContaining({ level: 'warn', outcome: 'abandoned' }),
    ]);
    await Promise.all([first.broker.close(), second.broker.close()]);
  });
});

describe('faults of the broker', () => {
  it('a broker that is killed and started again goes on delivering, without a restart of this process', async () => {
    const { broker } = await connectGreetings({ ackWaitSeconds: 2 });
    await broker.ensureStreams();
    const seen: string[] = [];
    broker.consume('hello', (payload) => void seen.push(payload.text), { concurrency: 2 });
    await broker.publish('hello', greet('before'));
    await eventually(() => expect(seen).toEqual(['before']));
    await server.kill();
    await eventually(() => expect(broker.isConnected()).toBe(false));
    await server.restart();
    await eventually(async () => expect((await broker.publish('hello', greet('after'))).kind).toBe('published'));
    await eventually(() => expect(seen).toContain('after'), 15_000);
    await broker.close();
  });

  it.each([
    ['durable', 'CONSUMER.DELETE.STEWARD_TEST.test_hello-v1'],
    ['stream', 'STREAM.DELETE.STEWARD_TEST'],
  ])('a deleted %s is created again and messages flow', async (_title, request) => {
    const { broker } = await connectGreetings();
    await broker.ensureStreams();
    const seen: string[] = [];
    broker.consume('hello', (payload) => void seen.push(payload.text), { concurrency: 2 });
    await broker.publish('hello', greet('before'));
    await eventually(() => expect(seen).toEqual(['before']));
    await askJetStream(server.url, request);
    await eventually(async () => expect((await broker.publish('hello', greet('after'))).kind).toBe('published'));
    await eventually(() => expect(seen).toContain('after'), 20_000);
    await broker.close();
  });
});
