import { CREATED_SECONDS, UNKNOWN_FIELD, type ReplyWriter, type StreamEvent } from './call.ts';
import type { Usage } from './behaviour.ts';

const ID = 'chatcmpl-fake';

/** Writer for `POST /v1/chat/completions`. */
export const CHAT_WRITER: ReplyWriter = {
  writeUnary({ model, pieces, tool, argumentPieces, usage }) {
    const call = {
      id: 'call_fake',
      type: 'function',
      function: { name: tool, arguments: argumentPieces.join('') },
    };
    const message =
      tool === undefined
        ? { role: 'assistant', content: pieces.join(''), refusal: null }
        : { role: 'assistant', content: null, refusal: null, tool_calls: [call] };
    return {
      id: ID,
      object: 'chat.completion',
      created: CREATED_SECONDS,
      model,
      choices: [{ index: 0, message, logprobs: null, finish_reason: tool === undefined ? 'stop' : 'tool_calls' }],
      ...(usage === null ? {} : { usage: writeUsage(usage) }),
      ...UNKNOWN_FIELD,
    };
  },

  *writeStream({ model, pieces, tool, argumentPieces, usage }, { stream_options: options }) {
    const withUsage = options?.include_usage === true && usage !== null;
    const chunk = (choices: readonly unknown[], count: object | null = null): StreamEvent => ({
      data: {
        id: ID,
        object: 'chat.completion.chunk',
        created: CREATED_SECONDS,
        model,
        choices,
        // If usage is requested, every chunk has the field.
        ...(withUsage ? { usage: count } : {}),
        ...UNKNOWN_FIELD,
      },
    });
    const delta = (change: object, finish: string | null = null): StreamEvent =>
      chunk([{ index: 0, delta: change, logprobs: null, finish_reason: finish }]);
    yield delta({ role: 'assistant', content: tool === undefined ? '' : null });
    if (tool === undefined) {
      for (const piece of pieces) yield delta({ content: piece });
    } else {
      yield delta({
        tool_calls: [{ index: 0, id: 'call_fake', type: 'function', function: { name: tool, arguments: '' } }],
      });
      for (const piece of argumentPieces) yield delta({ tool_calls: [{ index: 0, function: { arguments: piece } }] });
    }
    yield delta({}, tool === undefined ? 'stop' : 'tool_calls');
    if (withUsage) yield chunk([], writeUsage(usage));
    yield { data: '[DONE]' };
  },

  writeStreamError: () => ({
    data: { error: { message: 'The server had an error.', type: 'server_error', param: null, code: null } },
  }),
};

function writeUsage({ input, cachedInput, output }: Usage) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cachedInput, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0 },
  };
}
