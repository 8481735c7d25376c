import { DEAD_LETTER_STREAM } from '@steward/contracts';
import { askJetStream } from '@steward/testing';
import { DEAD_LETTER_HEADERS } from '../dead-letter.ts';
import { defineGreeting, type Greeting } from './define-greeting.ts';
import { connectTestBroker, startServer, useTestBrokers, type TestServer } from './test-broker.ts';

interface StreamState {
  readonly state: { readonly messages: number; readonly first_seq: number; readonly last_seq: number };
}

/** Provides each test of a file with a broker for greetings and direct access to the server. */
export function useGreetings() {
  let server: TestServer;
  let counter = 0;
  useTestBrokers();
  beforeEach(async () => {
    server = await startServer();
  });
  afterEach(() => server.stop());

  function connectGreetings(
    consumer: Parameters<typeof defineGreeting>[1] = {},
    retryDelay?: (count: number) => number,
  ) {
    const catalogue = { hello: defineGreeting('hello', consumer) };
    return connectTestBroker(server.url, catalogue, retryDelay === undefined ? {} : { retryDelay });
  }

  function greet(text = 'x'): Greeting {
    counter += 1;
    return { id: `greeting-${counter}`, text };
  }

  /** Returns body and custom headers of all dead letters so far. */
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

  /** Publishes bytes on the subject as another program would. */
  async function publishRaw(body: string): Promise<void> {
    await askJetStream(server.url, 'steward.test.hello.v1', body);
  }

  return {
    get server() {
      return server;
    },
    connectGreetings,
    greet,
    listDeadLetters,
    countUnhandled,
    publishRaw,
  };
}
