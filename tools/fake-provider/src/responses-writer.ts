import { CREATED_SECONDS, UNKNOWN_FIELD, type Reply, type ReplyWriter } from './call.ts';

const MESSAGE_ID = 'msg_fake';
const CALL_ID = 'fc_fake';

/** Writer for `POST /v1/responses`. */
export const RESPONSES_WRITER: ReplyWriter = {
  writeUnary: (reply) => writeResponse(reply, 'completed'),

  *writeStream(reply) {
    let sequence = 0;
    const event = (type: string, fields: object) => ({
      event: type,
      data: { type, sequence_number: sequence++, ...fields },
    });
    const { pieces, tool, argumentPieces } = reply;
    const place = { output_index: 0, item_id: tool === undefined ? MESSAGE_ID : CALL_ID };
    yield event('response.created', { response: writeResponse(reply, 'in_progress') });
    yield event('response.in_progress', { response: writeResponse(reply, 'in_progress') });
    if (tool === undefined) {
      const [text, part] = [pieces.join(''), { ...place, content_index: 0 }];
      yield event('response.output_item.added', {
        output_index: 0,
        item: { ...writeItem(reply), status: 'in_progress', content: [] },
      });
      yield event('response.content_part.added', { ...part, part: writePart('') });
      for (const delta of pieces) yield event('response.output_text.delta', { ...part, delta, logprobs: [] });
      yield event('response.output_text.done', { ...part, text, logprobs: [] });
      yield event('response.content_part.done', { ...part, part: writePart(text) });
    } else {
      yield event('response.output_item.added', {
        output_index: 0,
        item: { ...writeItem(reply), status: 'in_progress', arguments: '' },
      });
      for (const delta of argumentPieces) yield event('response.function_call_arguments.delta', { ...place, delta });
      yield event('response.function_call_arguments.done', {
        ...place,
        name: tool,
        arguments: argumentPieces.join(''),
      });
    }
    yield event('response.output_item.done', { output_index: 0, item: writeItem(reply) });
    yield event('response.completed', { response: writeResponse(reply, 'completed') });
  },

  writeStreamError: () => ({
    event: 'error',
    data: { type: 'error', sequence_number: 0, code: 'server_error', message: 'The server had an error.', param: null },
  }),
};

function writeResponse(reply: Reply, status: 'in_progress' | 'completed') {
  const isDone = status === 'completed';
  const { usage } = reply;
  return {
    id: 'resp_fake',
    object: 'response',
    created_at: CREATED_SECONDS,
    status,
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    model: reply.model,
    output: isDone ? [writeItem(reply)] : [],
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    usage:
      isDone && usage !== null
        ? {
            input_tokens: usage.input,
            input_tokens_details: { cached_tokens: usage.cachedInput },
            output_tokens: usage.output,
            output_tokens_details: { reasoning_tokens: 0 },
            total_tokens: usage.input + usage.output,
          }
        : null,
    ...UNKNOWN_FIELD,
  };
}

function writeItem({ pieces, tool, argumentPieces }: Reply) {
  if (tool === undefined) {
    return {
      id: MESSAGE_ID,
      type: 'message',
      status: 'completed',
      role: 'assistant',
      content: [writePart(pieces.join(''))],
    };
  }
  return {
    id: CALL_ID,
    type: 'function_call',
    status: 'completed',
    call_id: 'call_fake',
    name: tool,
    arguments: argumentPieces.join(''),
  };
}

function writePart(text: string) {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}
