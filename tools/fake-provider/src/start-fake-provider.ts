import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { answerCall } from './answer-call.ts';
import type { Behaviour } from './behaviour.ts';
import type { RecordedRequest } from './recorded-request.ts';

export interface FakeProviderOptions {
  /** Port of the server; 0 or undefined for any available port. */
  readonly port?: number;
  /** Key that every call has to send, if set, in the header of the API that it calls. */
  readonly apiKey?: string;
}

export interface FakeProvider {
  /** Base URL of the Anthropic API; for the base URL of the OpenAI API, append `/v1`. */
  readonly origin: string;
  readonly requests: readonly RecordedRequest[];
  /**
   * Sets the behavior of the next `times` calls, after those of earlier behaviors; later calls are handled normally.
   */
  behave(behaviour: Behaviour, times?: number): void;
  /** Clears requests and behaviors. */
  reset(): void;
  countConnections(): Promise<number>;
  close(): Promise<void>;
}

interface Plan {
  readonly behaviour: Behaviour;
  timesLeft: number;
}

/** Starts a provider that implements the APIs of OpenAI and of Anthropic. */
export async function startFakeProvider(options: FakeProviderOptions = {}): Promise<FakeProvider> {
  const requests: RecordedRequest[] = [];
  const plans: Plan[] = [];
  const behave = (behaviour: Behaviour, times = 1): void => void plans.push({ behaviour, timesLeft: times });
  const server = createServer({ noDelay: true }, (request, response) => {
    receive(request, response).catch(() => response.destroy());
  });

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    if (request.url === '/behaviour') return control(request.method, body, response);
    const recorded: RecordedRequest = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body,
      sentBytes: 0,
      waitsForReader: 0,
      state: 'answering',
    };
    requests.push(recorded);
    response.once('close', () => {
      if (recorded.state === 'answering') recorded.state = response.writableFinished ? 'answered' : 'aborted';
    });
    await answerCall({ request: recorded, response, behaviour: takeBehaviour(plans), apiKey: options.apiKey });
  }

  /**
   * Controls the behavior from other processes: `PUT /behaviour {"behaviour": {"status": 429}, "times": 3}`, `DELETE`
   * resets it.
   */
  function control(method: string | undefined, body: Buffer, response: ServerResponse): void {
    if (method === 'DELETE') plans.length = 0;
    else {
      const { behaviour, times } = JSON.parse(body.toString()) as { behaviour: Behaviour; times?: number };
      behave(behaviour, times);
    }
    response.writeHead(204).end();
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    behave,
    reset: () => {
      requests.length = 0;
      plans.length = 0;
    },
    countConnections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
      ),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function takeBehaviour(plans: Plan[]): Behaviour {
  const [plan] = plans;
  if (plan === undefined) return {};
  plan.timesLeft -= 1;
  if (plan.timesLeft <= 0) plans.shift();
  return plan.behaviour;
}
