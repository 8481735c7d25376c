import { askJetStream } from '@steward/testing';
import type { Greeting } from './testing/define-greeting.ts';
import { eventually } from './testing/test-broker.ts';
import { useGreetings } from './testing/use-greetings.ts';

const greetings = useGreetings();
const { connectGreetings, greet, countUnhandled, publishRaw } = greetings;

describe('consuming', () => {
  it('handles every message once, acknowledges it and removes it from the queue', async () => {
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

  it('reports waiting and running messages in the metrics, as counted by the broker at that time', async () => {
    const { broker, metrics } = await connectGreetings();
    await broker.ensureStreams();
    const lag = async (): Promise<string[]> =>
      (await metrics.render()).split('\n').filter((line) => /^steward_messages_(waiting|unacknowledged)\{/.test(line));
    const released = Promise.withResolvers<void>();
    for (let index = 0; index < 5; index += 1) await broker.publish('hello', greet(String(index)));
    broker.consume('hello', () => released.promise, { concurrency: 2 });
    await eventually(async () =>
      expect(await lag()).toEqual([
        expect.stringMatching(/^steward_messages_waiting\{message="hello".* 3$/),
        expect.stringMatching(/^steward_messages_unacknowledged\{message="hello".* 2$/),
      ]),
    );
    released.resolve();
    await eventually(async () => expect((await lag()).map((line) => line.slice(-2))).toEqual([' 0', ' 0']));
    await broker.close();
    expect(await lag()).toEqual([]);
  });

  it('creates missing streams', async () => {
    const { broker } = await connectGreetings();
    const seen: string[] = [];
    broker.consume('hello', (payload) => void seen.push(payload.text), { concurrency: 1 });
    await eventually(async () => expect((await broker.publish('hello', greet('first'))).kind).toBe('published'));
    await eventually(() => expect(seen).toEqual(['first']));
    await broker.close();
  });

  it('runs at most the requested number of handlers at once', async () => {
    const { broker } = await connectGreetings();
    await broker.ensureStreams();
    let runningNow = 0;
    let most = 0;
    let ended = 0;
    const full = Promise.withResolvers<void>();
    for (let index = 0; index < 30; index += 1) await broker.publish('hello', greet());
    const handler = async () => {
      runningNow += 1;
      most = Math.max(most, runningNow);
      if (runningNow === 3) full.resolve();
      await full.promise;
      await new Promise((resolve) => setTimeout(resolve, 5));
      runningNow -= 1;
      ended += 1;
    };
    broker.consume('hello', handler, { concurrency: 3 });
    await eventually(() => expect(ended).toBe(30));
    expect(most).toBe(3);
    await broker.close();
  });

  it('ignores fields unknown to this release', async () => {
    const { broker } = await connectGreetings();
    await broker.ensureStreams();
    const seen: Greeting[] = [];
    broker.consume('hello', (payload) => void seen.push(payload), { concurrency: 1 });
    await publishRaw(JSON.stringify({ id: 'n', text: 'new', colour: 'red' }));
    await eventually(() => expect(seen).toEqual([{ id: 'n', text: 'new', colour: 'red' }]));
    await broker.close();
  });
});

describe('long handlers', () => {
  it('retains the message of a handler that runs longer than ackWait', async () => {
    // The wait is long enough that progress signals are sent in time even on a busy machine, where this process may
    // stall for seconds.
    const { broker } = await connectGreetings({ ackWaitSeconds: 12 });
    await broker.ensureStreams();
    let calls = 0;
    let ended = 0;
    const handler = async () => {
      calls += 1;
      await new Promise((resolve) => setTimeout(resolve, 15_000));
      ended += 1;
    };
    broker.consume('hello', handler, { concurrency: 4 });
    await broker.publish('hello', greet());
    await eventually(async () => expect(await countUnhandled()).toEqual({ stored: 0, unacknowledged: 0 }));
    expect([calls, ended]).toEqual([1, 1]);
    await broker.close();
  });
});

describe('outages of the broker', () => {
  it('a broker that is killed and started again continues delivering, without a restart of this process', async () => {
    const { broker } = await connectGreetings({ ackWaitSeconds: 2 });
    await broker.ensureStreams();
    const seen: string[] = [];
    broker.consume('hello', (payload) => void seen.push(payload.text), { concurrency: 2 });
    await broker.publish('hello', greet('before'));
    await eventually(() => expect(seen).toContain('before'));
    await greetings.server.kill();
    await eventually(() => expect(broker.isConnected()).toBe(false));
    await greetings.server.restart();
    await eventually(async () => expect((await broker.publish('hello', greet('after'))).kind).toBe('published'));
    await eventually(() => expect(seen).toContain('after'));
    await broker.close();
  });

  it.each([
    ['durable', 'CONSUMER.DELETE.STEWARD_TEST.test_hello-v1'],
    ['stream', 'STREAM.DELETE.STEWARD_TEST'],
  ])('a deleted %s is created again and messages are delivered', async (_title, request) => {
    const { broker } = await connectGreetings();
    await broker.ensureStreams();
    const seen: string[] = [];
    broker.consume('hello', (payload) => void seen.push(payload.text), { concurrency: 2 });
    await broker.publish('hello', greet('before'));
    await eventually(() => expect(seen).toEqual(['before']));
    await askJetStream(greetings.server.url, request);
    await eventually(async () => expect((await broker.publish('hello', greet('after'))).kind).toBe('published'));
    await eventually(() => expect(seen).toContain('after'));
    await broker.close();
  });
});
