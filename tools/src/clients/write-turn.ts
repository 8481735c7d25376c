import type { NextTurn } from './plan.ts';

export interface Turn {
  /** Number of the turn, used to create ids that are unique to it. */
  readonly number: number;
  readonly model: string;
  readonly next: NextTurn;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Response of a provider, in the streamed and in the unstreamed form. */
export interface WrittenTurn {
  readonly events: readonly { readonly event?: string; readonly data: unknown }[];
  readonly body: unknown;
}

const CREATED = 1_790_000_000;

export function writeAnthropicTurn({ number, model, next, inputTokens, outputTokens }: Turn): WrittenTurn {
  const block =
    'say' in next
      ? { type: 'text', text: next.say }
      : { type: 'tool_use', id: `toolu_clients${number}`, name: next.name, input: next.arguments };
  const stop = 'say' in next ? 'end_turn' : 'tool_use';
  const usage = {
    input_tokens: inputTokens,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
    output_tokens: outputTokens,
  };
  const message = { id: `msg_clients${number}`, type: 'message', role: 'assistant', model, stop_sequence: null };
  const delta =
    'say' in next
      ? { type: 'text_delta', text: next.say }
      : { type: 'input_json_delta', partial_json: JSON.stringify(next.arguments) };
  const empty = 'say' in next ? { ...block, text: '' } : { ...block, input: {} };
  const event = (type: string, fields: object = {}) => ({ event: type, data: { type, ...fields } });
  return {
    body: { ...message, content: [block], stop_reason: stop, usage },
    events: [
      event('message_start', {
        message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
      }),
      event('content_block_start', { index: 0, content_block: empty }),
      event('content_block_delta', { index: 0, delta }),
      event('content_block_stop', { index: 0 }),
      event('message_delta', {
        delta: { stop_reason: stop, stop_sequence: null },
        usage: { output_tokens: outputTokens },
      }),
      event('message_stop'),
    ],
  };
}

export function writeResponsesTurn({ number, model, next, inputTokens, outputTokens }: Turn): WrittenTurn {
  const item =
    'say' in next
      ? {
          ...{ id: `msg_clients${number}`, type: 'message', status: 'completed', role: 'assistant' },
          content: [{ type: 'output_text', text: next.say, annotations: [], logprobs: [] }],
        }
      : {
          ...{
            id: `fc_clients${number}`,
            type: 'function_call',
            status: 'completed',
            call_id: `call_clients${number}`,
          },
          name: next.name,
          ...(next.namespace !== undefined && { namespace: next.namespace }),
          arguments: JSON.stringify(next.arguments),
        };
  const usage = {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  };
  const response = { id: `resp_clients${number}`, object: 'response', created_at: CREATED, model, error: null };
  const done = { ...response, status: 'completed', output: [item], usage };
  const event = (type: string, fields: object) => ({ event: type, data: { type, ...fields } });
  return {
    body: done,
    events: [
      event('response.created', { response: { ...response, status: 'in_progress', output: [], usage: null } }),
      event('response.output_item.added', { output_index: 0, item }),
      event('response.output_item.done', { output_index: 0, item }),
      event('response.completed', { response: done }),
    ],
  };
}

export function writeChatTurn({ number, model, next, inputTokens, outputTokens }: Turn): WrittenTurn {
  const call =
    'say' in next
      ? undefined
      : {
          ...{ index: 0, id: `call_clients${number}`, type: 'function' },
          function: { name: next.name, arguments: JSON.stringify(next.arguments) },
        };
  const message = { role: 'assistant', content: 'say' in next ? next.say : null, ...(call && { tool_calls: [call] }) };
  const usage = {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
  const answer = { id: `chatcmpl-clients${number}`, created: CREATED, model };
  const finish = call === undefined ? 'stop' : 'tool_calls';
  const chunk = (choices: readonly object[], more: object = {}) => ({
    data: { ...answer, object: 'chat.completion.chunk', choices, ...more },
  });
  return {
    body: { ...answer, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: finish }], usage },
    events: [
      chunk([{ index: 0, delta: message, finish_reason: null }]),
      chunk([{ index: 0, delta: {}, finish_reason: finish }]),
      chunk([], { usage }),
      { data: '[DONE]' },
    ],
  };
}
