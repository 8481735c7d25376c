import { createMetrics } from '@steward/process';
import { createBrokerMetrics } from './broker-metrics.ts';
import { handleMessage, type HandleDeps } from './handle-message.ts';
import { createCodecs } from './message-codec.ts';
import type { IncomingMessage } from './nats/nats-types.ts';
import { defineGreeting } from './testing/define-greeting.ts';

const contract = defineGreeting('hello', { maxDeliver: 3 });
const codec = createCodecs({ hello: contract }).get('hello');
if (codec === undefined) throw new Error('no codec');

/** Simulates the transport of a message and records the acknowledgements in order. */
function receive(
  deliveryCount: number,
  text = '{"id":"1","text":"x"}',
): { message: IncomingMessage; answers: string[] } {
  const answers: string[] = [];
  const message: IncomingMessage = {
    subject: contract.subject,
    body: new TextEncoder().encode(text),
    messageId: '1',
    streamSequence: 7,
    deliveryCount,
    waitingCount: 0,
    ack: () => void answers.push('ack'),
    nak: (delayMs) => void answers.push(`nak ${delayMs}`),
    term: () => void answers.push('term'),
    working: () => undefined,
  };
  return { message, answers };
}

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const logger = { ...quiet, child: () => logger } as HandleDeps['logger'];

function createDeps(changes: Partial<HandleDeps>): HandleDeps {
  return {
    contract,
    codec: codec as NonNullable<typeof codec>,
    handler: () => undefined,
    retryDelay: () => 50,
    storeDeadLetter: () => Promise.resolve(),
    logger,
    metrics: createBrokerMetrics(createMetrics('test')),
    ...changes,
  };
}

describe('a message', () => {
  it('is not acknowledged before its dead letter is stored: if storing fails, the message is delivered again', async () => {
    const { message, answers } = receive(3);
    const handler = () => Promise.reject(new Error('no'));
    const storeDeadLetter = () => Promise.reject(new Error('broker away'));
    await handleMessage(message, createDeps({ handler, storeDeadLetter })).done;
    expect(answers).toEqual(['nak 50']);
  });

  it('becomes a dead letter without another attempt if it repeatedly kills the process', async () => {
    const { message, answers } = receive(61);
    let calls = 0;
    let reason = '';
    const deps = createDeps({
      handler: () => void (calls += 1),
      storeDeadLetter: (_message, why) => Promise.resolve(void (reason = why)),
    });
    await handleMessage(message, deps).done;
    expect(calls).toBe(0);
    expect(reason).toBe('delivered 60 times without an outcome');
    expect(answers).toEqual(['term']);
  });

  it('is acknowledged once: a handler that ends after its message was released changes nothing', async () => {
    const { message, answers } = receive(1);
    const running = handleMessage(message, createDeps({ handler: () => Promise.resolve() }));
    running.abandon();
    running.abandon();
    await running.done;
    expect(answers).toEqual(['nak 0']);
  });
});

describe('the trace of a message (PROC-15)', () => {
  const TRACE = '0af7651916cd43dd8448eb211c80319c';

  async function readLines(traceparent: unknown, handler: HandleDeps['handler']): Promise<Record<string, unknown>[]> {
    const { message } = receive(1, JSON.stringify({ id: '1', text: 'x', traceparent }));
    const lines: Record<string, unknown>[] = [];
    const record = (bound: object): HandleDeps['logger'] => {
      const write = (event: string, fields: object = {}) => void lines.push({ event, ...bound, ...fields });
      return {
        debug: write,
        info: write,
        warn: write,
        error: write,
        child: (more) => record({ ...bound, ...more }),
      };
    };
    await handleMessage(message, createDeps({ handler, logger: record({}) })).done;
    return lines;
  }
  const handlers: [string, HandleDeps['handler']][] = [
    ['done', (_payload, { logger: own }) => own.info('test.done')],
    [
      'failed',
      (_payload, { logger: own }) => {
        own.info('test.failed');
        throw new Error('no');
      },
    ],
  ];

  it.each(handlers)('is on every line of its log: %s', async (_what, handler) => {
    const lines = await readLines(`00-${TRACE}-b7ad6b7169203331-01`, handler);
    expect(lines.map(({ trace_id: id }) => id)).toEqual([TRACE, TRACE]);
  });

  it.each(handlers)('has no effect if it is invalid or missing: %s', async (_what, handler) => {
    for (const traceparent of ['00-1-2-01', 7, null, undefined]) {
      const lines = await readLines(traceparent, handler);
      expect(lines).toHaveLength(2);
      for (const line of lines) expect(line).not.toHaveProperty('trace_id');
    }
  });
});
