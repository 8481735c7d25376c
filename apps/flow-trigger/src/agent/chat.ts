import type { OpenAI } from 'openai';

export type ChatMessage = OpenAI.ChatCompletionMessageParam;
export type ChatToolCall = OpenAI.ChatCompletionMessageFunctionToolCall;
export type ChatTool = OpenAI.ChatCompletionFunctionTool;

/** Result of one model call. */
export interface ChatAnswer {
  readonly content: string | null;
  readonly toolCalls: readonly ChatToolCall[];
  readonly finishReason: string | null;
  /** Numbers of tokens; undefined if the provider does not report them. */
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number } | undefined;
}

/** Parses a response of the provider without trusting its types. Returns undefined if it is not a chat completion. */
export function readChatAnswer(body: unknown): ChatAnswer | undefined {
  const choice = asObject(asArray(asObject(body)?.choices)?.[0]);
  const message = asObject(choice?.message);
  if (message === undefined) return undefined;
  const toolCalls = (asArray(message.tool_calls) ?? []).map(readToolCall);
  if (toolCalls.includes(undefined)) return undefined;
  const { content } = message;
  const { finish_reason: finishReason } = choice ?? {};
  return {
    content: typeof content === 'string' ? content : null,
    toolCalls: toolCalls as ChatToolCall[],
    finishReason: typeof finishReason === 'string' ? finishReason : null,
    usage: readUsage(asObject(body)?.usage),
  };
}

function readToolCall(value: unknown): ChatToolCall | undefined {
  const call = asObject(value);
  const called = asObject(call?.function);
  if (typeof call?.id !== 'string' || typeof called?.name !== 'string') return undefined;
  // Some servers send the arguments as an object instead of a string that contains JSON.
  const given = called.arguments;
  const text = typeof given === 'string' ? given : JSON.stringify(given ?? {});
  return { id: call.id, type: 'function', function: { name: called.name, arguments: text } };
}

function readUsage(value: unknown): ChatAnswer['usage'] {
  const usage = asObject(value);
  const { prompt_tokens: input, completion_tokens: output } = usage ?? {};
  if (!isCount(input) || !isCount(output)) return undefined;
  return { inputTokens: input, outputTokens: output };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

function asArray(value: unknown): unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}
