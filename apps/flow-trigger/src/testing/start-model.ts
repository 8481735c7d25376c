import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ModelCall {
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: string | null }[];
    readonly tools?: readonly { readonly function: { readonly name: string } }[];
  };
}

/** The model's output at one step: a tool call, its last text, or a custom response. */
export type ModelStep =
  { readonly call: string; readonly args: unknown } | { readonly say: string } | ((response: ServerResponse) => void);

export interface TestModel {
  readonly origin: string;
  readonly calls: ModelCall[];
  /** Sets the steps of the next run; after the last one, it is repeated. */
  play(steps: readonly ModelStep[]): void;
  close(): Promise<void>;
}

/** Replaces the model gateway for the agent of a run: chat completions over HTTP, from a script. */
export async function startTestModel(): Promise<TestModel> {
  let script: readonly ModelStep[] = [];
  let calls: ModelCall[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (data: Buffer) => (text += data.toString('utf8')));
    request.on('end', () => {
      calls.push({ headers: request.headers, body: JSON.parse(text) as ModelCall['body'] });
      const step = script[Math.min(calls.length, script.length) - 1] ?? { say: 'nothing to do' };
      if (typeof step === 'function') step(response);
      else if (request.url === '/openai/v1/chat/completions') answer(response, step);
      else response.writeHead(404).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    get calls() {
      return calls;
    },
    play(steps) {
      script = steps;
      calls = [];
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(response: ServerResponse, step: Exclude<ModelStep, (response: ServerResponse) => void>): void {
  const message =
    'say' in step
      ? { role: 'assistant', content: step.say }
      : {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: 'call-1',
              type: 'function',
              function: {
                name: step.call,
                arguments: typeof step.args === 'string' ? step.args : JSON.stringify(step.args),
              },
            },
          ],
        };
  const body = {
    choices: [{ index: 0, message, finish_reason: 'say' in step ? 'stop' : 'tool_calls' }],
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
