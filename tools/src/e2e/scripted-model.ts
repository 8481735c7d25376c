import { startHttpReceiver, type HttpReceiver } from '@steward/testing';

export interface Step {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export interface Chat {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

/** Starts a model that performs the script's steps, and then reports that it has finished. */
export async function startScriptedModel(readScript: () => readonly Step[], port = 0): Promise<HttpReceiver> {
  return startHttpReceiver(({ body }, response) => {
    const { messages } = JSON.parse(body.toString()) as Chat;
    const step = readScript()[messages.filter(({ role }) => role === 'tool').length];
    const call = step && {
      id: `call_${messages.length}`,
      type: 'function',
      function: { name: step.tool, arguments: JSON.stringify(step.arguments) },
    };
    const message = {
      role: 'assistant',
      content: call === undefined ? 'Done.' : null,
      ...(call && { tool_calls: [call] }),
    };
    const choices = [{ index: 0, message, finish_reason: call === undefined ? 'stop' : 'tool_calls' }];
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: 'chat', object: 'chat.completion', created: 1, model: 'm', choices, usage }));
  }, port);
}
