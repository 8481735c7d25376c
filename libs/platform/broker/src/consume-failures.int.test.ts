import { PoisonMessage, RetryLater } from './broker-errors.ts';
import type { Greeting } from './testing/define-greeting.ts';
import { eventually } from './testing/test-broker.ts';
import { useGreetings } from './testing/use-greetings.ts';

const { connectGreetings, greet, listDeadLetters, countUnhandled, publishRaw } = useGreetings();

describe('messages that cannot be handled', () => {
  it.each([
    ['no JSON', 'not json {', 'not valid JSON'],
    ['a wrong field', '{"id":"1","text":7}', 'does not match the schema: /text must be string'],
  ])('%s goes to the dead letters with the reason and is not delivered again', async (_title, body, reason) => {
    const { broker, lines } = await connectGreetings();
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

  it('a handler can declare a message invalid', async () => {
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

  it('a failing handler is retried with growing delays, then the message becomes a dead letter', async () => {
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
    // The copy is stored before the message is acknowledged and logged.
    await eventually(async () => expect(await countUnhandled()).toEqual({ stored: 0, unacknowledged: 0 }));
    expect(calls.map((call) => call.deliveryCount)).toEqual([1, 2, 3]);
    const gaps = calls.slice(1).map((call, index) => call.at - (calls[index]?.at ?? 0));
    expect(gaps[0]).toBeGreaterThan(190);
    expect(gaps[1]).toBeGreaterThan(390);
    const reason = (await listDeadLetters())[0]?.['Steward-Reason'];
    expect(reason).toContain('failed 3 times, last error: the database said no');
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

  it('a handler that throws RetryLater gets the message again after that delay, more often than after failures', async () => {
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
