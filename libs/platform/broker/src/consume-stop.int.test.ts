import type { Greeting } from './testing/define-greeting.ts';
import { eventually } from './testing/test-broker.ts';
import { useGreetings } from './testing/use-greetings.ts';

const { connectGreetings, greet, countUnhandled } = useGreetings();

/**
 * Acknowledgement wait longer than `eventually` waits, so that a message that arrives earlier was returned by the stop.
 */
const UNTIL_GIVEN_BACK = { ackWaitSeconds: 300 };

describe('stopping', () => {
  it('finishes the running handler and leaves the remaining messages to another process, immediately and unchanged', async () => {
    const [first, second] = [await connectGreetings(UNTIL_GIVEN_BACK), await connectGreetings(UNTIL_GIVEN_BACK)];
    await first.broker.ensureStreams();
    for (let index = 0; index < 10; index += 1) await first.broker.publish('hello', greet(String(index)));
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    let begun = 0;
    const handledByFirst: string[] = [];
    const handler = async (payload: Greeting) => {
      begun += 1;
      await gate;
      handledByFirst.push(payload.text);
    };
    const consumption = first.broker.consume('hello', handler, { concurrency: 2 });
    await eventually(async () => expect([begun, (await countUnhandled()).unacknowledged]).toEqual([2, 2]));
    const stopping = consumption.stop(60_000);
    release();
    expect(await stopping).toBe(true);
    await first.broker.close();
    expect(handledByFirst).toEqual(['0', '1']);
    await eventually(async () => expect(await countUnhandled()).toEqual({ stored: 8, unacknowledged: 0 }));

    const deliveries: number[] = [];
    second.broker.consume('hello', (_payload, context) => void deliveries.push(context.deliveryCount), {
      concurrency: 4,
    });
    await eventually(() => expect(deliveries).toEqual(Array.from({ length: 8 }, () => 1)));
    await second.broker.close();
  });

  it('leaves no message blocked until ackWait if many messages are queued', async () => {
    const first = await connectGreetings(UNTIL_GIVEN_BACK);
    await first.broker.ensureStreams();
    for (let index = 0; index < 300; index += 1) await first.broker.publish('hello', greet());
    let handled = 0;
    const consumption = first.broker.consume('hello', () => void (handled += 1), { concurrency: 8 });
    await eventually(() => expect(handled).toBeGreaterThan(50));
    expect(await consumption.stop(60_000)).toBe(true);
    await first.broker.close();
    await eventually(async () => expect(await countUnhandled()).toEqual({ stored: 300 - handled, unacknowledged: 0 }));
  });

  it('drops waiting messages that are superseded by the one handled next', async () => {
    const { broker } = await connectGreetings();
    await broker.ensureStreams();
    for (let index = 0; index < 500; index += 1) await broker.publish('hello', greet());
    const storedWhenHandled: number[] = [];
    const texts: string[] = [];
    const look = async ({ text }: Greeting) => {
      texts.push(text);
      storedWhenHandled.push((await countUnhandled()).stored);
    };
    const consumption = broker.consume('hello', look, { concurrency: 4, dropBeyond: 4 });
    await eventually(async () => expect(await countUnhandled()).toEqual({ stored: 0, unacknowledged: 0 }));
    await eventually(() => expect(storedWhenHandled[0]).toBe(0));
    expect(storedWhenHandled.length).toBeLessThan(10);
    // A single message is handled like any other.
    await broker.publish('hello', greet('alone'));
    await eventually(() => expect(texts).toContain('alone'));
    await consumption.stop(1000);
    await broker.close();
  });

  it('stops an idle consumer immediately', async () => {
    const { broker } = await connectGreetings();
    await broker.ensureStreams();
    // The shortest wait is compared: a busy machine may delay some of the waits, but not all.
    const waits: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      const consumption = broker.consume('hello', () => undefined, { concurrency: 8 });
      await eventually(async () => expect((await countUnhandled()).unacknowledged).toBe(0));
      const startedAt = performance.now();
      expect(await consumption.stop(10_000)).toBe(true);
      waits.push(performance.now() - startedAt);
    }
    expect(Math.min(...waits)).toBeLessThan(1000);
    await broker.close();
  });

  it('passes a message to another process if its handler exceeds the deadline', async () => {
    const [first, second] = [await connectGreetings(), await connectGreetings()];
    await first.broker.ensureStreams();
    await first.broker.publish('hello', greet());
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    let begun = 0;
    const handler = () => {
      begun += 1;
      return gate;
    };
    const consumption = first.broker.consume('hello', handler, { concurrency: 1 });
    await eventually(() => expect(begun).toBe(1));
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
