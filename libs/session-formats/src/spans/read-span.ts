import type { OtlpSpan } from '@steward/otlp';
import { readSpanTokens } from './span-tokens.ts';
import { toToolName } from '../rules/chat-message.ts';
import { cleanToolValue } from '../rules/clean-content.ts';
import { firstText, toFields, toText } from '../rules/json-access.ts';
import type { ImportedEntry, ImportedInteraction, ImportedMessage, ImportedToolCall } from '../session-item.ts';
import { findSpanKind } from './span-kind.ts';
import { readSpanMessages } from './span-messages.ts';
import { findModel, nameModel } from './span-session.ts';
import { unflatten } from './unflatten.ts';

/**
 * Returns the entries of a span; none for a step. Their ids do not depend on when, or in which batch, the span arrives.
 */
export function readSpan(span: OtlpSpan): readonly ImportedEntry[] {
  switch (findSpanKind(span)) {
    case 'model':
      return [readModelCall(span)];
    case 'tool':
      return [readToolCall(span)];
    case 'agent':
      return readAgentTurn(span);
    default:
      return [];
  }
}

/** Returns the ids that the entries of a span may have. */
export function listEntryIds(span: OtlpSpan): string[] {
  return ['', ':input', ':output'].map((end) => `${readId(span)}${end}`);
}

const readId = ({ traceId, spanId }: OtlpSpan): string => `${traceId}:${spanId}`;

function readModelCall(span: OtlpSpan): ImportedInteraction {
  const { attributes } = span;
  const { input, output } = readSpanMessages(span);
  const error = findError(span);
  const response = { ...(error === undefined ? {} : { error }), ...(output.length === 0 ? {} : { messages: output }) };
  return {
    kind: 'interaction',
    externalId: readId(span),
    occurredAt: toDate(span.startNanos),
    model: toToolName(findModel(attributes) ?? nameModel(span)),
    provider: toToolName(
      firstText(
        attributes['gen_ai.provider.name'],
        attributes['gen_ai.system'],
        attributes['llm.provider'],
        attributes['llm.system'],
        attributes['ai.model.provider'],
        attributes['langfuse.observation.metadata.provider'],
      ),
    ),
    request: input.length === 0 ? null : { messages: input },
    response: Object.keys(response).length === 0 ? null : response,
    status: error === undefined ? 'ok' : 'error',
    ...readSpanTokens(attributes),
  };
}

const TOOL_NAMES = ['gen_ai.tool.name', 'tool.name', 'ai.toolCall.name', 'traceloop.entity.name'];
const ARGUMENTS = [
  'gen_ai.tool.call.arguments',
  'ai.toolCall.args',
  'ai.toolCall.input',
  'gen_ai.retrieval.query.text',
  'tool_arguments',
  'gcp.vertex.agent.tool_call_args',
  'langfuse.observation.input',
  'mlflow.spanInputs',
];
const OTHER_ARGUMENTS = ['input.value', 'traceloop.entity.input', 'tool.parameters'];
const RESULTS = [
  'gen_ai.tool.call.result',
  'ai.toolCall.result',
  'ai.toolCall.output',
  'tool_response',
  'gcp.vertex.agent.tool_response',
  'langfuse.observation.output',
  'mlflow.spanOutputs',
  'output.value',
  'traceloop.entity.output',
];

function readToolCall(span: OtlpSpan): ImportedToolCall {
  const { attributes } = span;
  const find = (names: readonly string[]): unknown =>
    names.map((name) => attributes[name]).find((value) => value !== undefined && value !== '');
  const result = find(RESULTS) ?? unflatten(attributes, 'retrieval.documents');
  const error = findError(span);
  return {
    kind: 'tool_call',
    externalId: readId(span),
    occurredAt: toDate(span.startNanos),
    toolName: toToolName(
      firstText(...TOOL_NAMES.map((name) => attributes[name]), span.name.replace(/^execute_tool /, '')),
    ),
    arguments: cleanToolValue(find([...ARGUMENTS, ...OTHER_ARGUMENTS]) ?? null),
    result:
      error === undefined
        ? cleanToolValue(result ?? null)
        : { error, ...(result === undefined ? {} : { result: cleanToolValue(result) }) },
    status: error === undefined ? 'ok' : 'error',
  };
}

/** Returns the last input of the user and the last output; the earlier history belongs to other spans. */
function readAgentTurn(span: OtlpSpan): ImportedMessage[] {
  const { input, output } = readSpanMessages(span);
  const asked = input.findLast((message) => toText(toFields(message)['role']) === 'user');
  return [
    ...toMessage(asked, { externalId: `${readId(span)}:input`, occurredAt: toDate(span.startNanos) }),
    ...toMessage(output.at(-1), { externalId: `${readId(span)}:output`, occurredAt: toDate(span.endNanos) }),
  ];
}

const MOST_ROLE_CHARS = 64;

function toMessage(message: unknown, facts: Pick<ImportedMessage, 'externalId' | 'occurredAt'>): ImportedMessage[] {
  const { role, content: given } = toFields(message);
  const content = Array.isArray(given) ? keepWords(given) : given;
  if (content === undefined || content === null || content === '') return [];
  return [{ kind: 'message', role: (toText(role) ?? 'assistant').slice(0, MOST_ROLE_CHARS), content, ...facts }];
}

/** Returns the content without tool calls and their results, which are separate entries. */
function keepWords(parts: readonly unknown[]): unknown {
  const kept = parts.filter((part) => !/^tool[_-]/.test(toText(toFields(part)['type']) ?? ''));
  const [only, ...more] = kept;
  const words = toFields(only)['content'] ?? toFields(only)['text'];
  if (more.length === 0 && typeof words === 'string') return words;
  return kept.length === 0 ? undefined : kept;
}

function findError({ isError, statusMessage, attributes, events }: OtlpSpan): string | undefined {
  // Langfuse marks errors with levels of its own.
  const isFailed = attributes['langfuse.observation.level'] === 'ERROR';
  if (!isError && !isFailed) return undefined;
  const thrown = events.find(({ name }) => name === 'exception')?.attributes ?? {};
  return (
    firstText(
      statusMessage,
      attributes['langfuse.observation.status_message'],
      thrown['exception.message'],
      attributes['error.type'],
      thrown['exception.type'],
    ) ?? 'error'
  );
}

const LATEST_NANOS = 253_370_764_800_000_000_000n;

function toDate(nanos: bigint): Date | undefined {
  return nanos === 0n || nanos > LATEST_NANOS ? undefined : new Date(Number(nanos / 1_000_000n));
}
