import { UNKNOWN_FIELD, type Reply, type ReplyWriter } from './call.ts';

/**
 * Writer for `POST /v1/messages`. The token count of the response is sent twice: as a partial count at the start, and
 * as a total at the end.
 */
export const MESSAGES_WRITER: ReplyWriter = {
  writeUnary(reply) {
    const { pieces, tool } = reply;
    const content =
      tool === undefined
        ? { type: 'text', text: pieces.join('') }
        : { type: 'tool_use', id: 'toolu_fake', name: tool, input: { city: 'Praha', ticket: 7 } };
    return { ...writeMessage(reply, reply.usage?.output ?? 0), content: [content], stop_reason: stopOf(reply) };
  },

  *writeStream(reply) {
    const { pieces, tool, argumentPieces, usage } = reply;
    const event = (type: string, fields: object = {}) => ({ event: type, data: { type, ...fields } });
    const delta = (change: object) => event('content_block_delta', { index: 0, delta: change });
    yield event('message_start', { message: writeMessage(reply, 1) });
    const block =
      tool === undefined ? { type: 'text', text: '' } : { type: 'tool_use', id: 'toolu_fake', name: tool, input: {} };
    yield event('content_block_start', { index: 0, content_block: block });
    yield event('ping');
    if (tool === undefined) for (const text of pieces) yield delta({ type: 'text_delta', text });
    else for (const part of argumentPieces) yield delta({ type: 'input_json_delta', partial_json: part });
    yield event('content_block_stop', { index: 0 });
    yield event('message_delta', {
      delta: { stop_reason: stopOf(reply), stop_sequence: null },
      ...(usage === null ? {} : { usage: { output_tokens: usage.output } }),
    });
    yield event('message_stop');
  },

  writeStreamError: () => ({
    event: 'error',
    data: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
  }),
};

function writeMessage({ model, usage }: Reply, outputTokens: number) {
  return {
    id: 'msg_fake',
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    ...(usage === null
      ? {}
      : {
          usage: {
            input_tokens: usage.input,
            // These tokens are counted separately from the input, not within it.
            cache_read_input_tokens: usage.cachedInput,
            cache_creation_input_tokens: 0,
            output_tokens: outputTokens,
          },
        }),
    ...UNKNOWN_FIELD,
  };
}

function stopOf({ tool }: Reply): string {
  return tool === undefined ? 'end_turn' : 'tool_use';
}
