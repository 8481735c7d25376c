import { readJson } from '../rules/clean-content.ts';
import { isFields, toFields, toList, toText, type Fields } from '../rules/json-access.ts';
import type { ReadMessages } from './span-messages.ts';

/**
 * Functions that read messages from SDK-specific attributes, which SDKs set in addition to those of a convention, or
 * instead of them.
 */
export const SDK_CONVENTIONS: readonly ReadMessages[] = [
  ({ attributes }) => readPydanticRun(attributes),
  ({ attributes }) => readAdk(attributes),
  ({ attributes }) => ({
    input: attributes['langfuse.observation.input'] ?? attributes['langfuse.trace.input'],
    output: readAnswer(attributes['langfuse.observation.output'] ?? attributes['langfuse.trace.output']),
  }),
  ({ attributes }) => ({
    input: attributes['mlflow.spanInputs'],
    output: readAnswer(attributes['mlflow.spanOutputs']),
  }),
  ({ attributes }) => readLogfire(attributes),
];

/** Returns the messages in the original response of a provider, or any other value unchanged. */
function readAnswer(value: unknown): unknown {
  const given = toFields(readJson(value));
  const choices = toList(given['choices']).map((choice) => toFields(choice)['message']);
  return choices.some(isFields) ? choices : value;
}

/** Reads the messages of Logfire's own instrumentations, which record the request and the resulting message or text. */
function readLogfire(attributes: Fields): { readonly input?: unknown; readonly output?: unknown } {
  const request = readJson(attributes['request_data']);
  const { message, combined_chunk_content: streamed, text } = toFields(readJson(attributes['response_data']));
  return { input: request, output: message ?? streamed ?? text };
}

/**
 * Reads all messages of a run of Pydantic AI. Versions up to 0.8 record them as events, later versions as roles and
 * parts; the result is in a separate attribute.
 */
function readPydanticRun(attributes: Fields): { readonly input?: unknown; readonly output?: unknown } {
  const said = toList(readJson(attributes['pydantic_ai.all_messages'] ?? attributes['all_messages_events'])).map(
    toFields,
  );
  const result = attributes['final_result'];
  const last = said.findLast(({ role }) => role === 'assistant');
  return { input: said, output: result ?? (last === undefined ? undefined : [last]) };
}

/** Reads the messages of Google ADK, which records the request and the response of Gemini as JSON. */
function readAdk(attributes: Fields): { readonly input?: unknown; readonly output?: unknown } {
  const request = toFields(readJson(attributes['gcp.vertex.agent.llm_request']));
  const response = toFields(readJson(attributes['gcp.vertex.agent.llm_response']));
  const system = toFields(request['config'])['system_instruction'];
  const instructions = system === undefined || system === null ? [] : [readContent('system', system)];
  const contents = toList(request['contents']).map((content) =>
    readContent(toText(toFields(content)['role']) ?? 'user', content),
  );
  const answer = response['content'] ?? response['error_message'];
  return {
    input: [...instructions, ...contents],
    output: answer === undefined ? undefined : [readContent('model', answer)],
  };
}

function readContent(role: string, content: unknown): Fields {
  const name = role === 'model' ? 'assistant' : role;
  return isFields(content) ? { ...content, role: name } : { role: name, content };
}
