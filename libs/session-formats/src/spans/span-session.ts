import type { OtlpSpan } from '@steward/otlp';
import { readJson } from '../rules/clean-content.ts';
import { firstText, toFields, toText, type Fields } from '../rules/json-access.ts';
import type { SessionHead } from '../session-item.ts';
import { createSessionNotes } from '../session-notes.ts';

export const OTLP_SOURCE_TYPE = 'otlp';

/** Attributes in which SDKs name the conversation, the attribute of the convention first. */
const CONVERSATION = [
  'gen_ai.conversation.id',
  'session.id',
  'langfuse.session.id',
  'gcp.vertex.agent.session_id',
  ...['session_id', 'conversation_id', 'thread_id', 'chat_id'].flatMap((name) => [
    `traceloop.association.properties.${name}`,
    `langsmith.metadata.${name}`,
  ]),
  ...['sessionId', 'conversationId', 'threadId', 'chatId'].map((name) => `ai.telemetry.metadata.${name}`),
];

/** Returns the id of the conversation, if the span contains one. */
export function findConversation({ attributes }: OtlpSpan): string | undefined {
  const named = firstText(...CONVERSATION.map((name) => attributes[name]));
  if (named !== undefined) return named;
  const metadata = toFields(readJson(attributes['metadata']));
  return firstText(metadata['thread_id'], metadata['session_id'], metadata['conversation_id']);
}

/**
 * Returns the session data of a span.
 * @param conversation - Id of the conversation, taken from the span, from the session to which the span was assigned
 *   earlier, or from another span of its trace; if undefined, the trace is the session
 */
export function readSessionHead(span: OtlpSpan, conversation: string | undefined): SessionHead {
  const { attributes, resource } = span;
  const notes = createSessionNotes(OTLP_SOURCE_TYPE, conversation ?? span.traceId);
  const agent = findAgent(span);
  notes.label('service', resource['service.name']);
  notes.label('version', resource['service.version']);
  notes.label(
    'environment',
    firstText(
      ...[resource['deployment.environment.name'], resource['deployment.environment']],
      attributes['langfuse.environment'],
    ),
  );
  notes.label('repo', firstText(resource['vcs.repository.url.full'], resource['vcs.repository.name']));
  notes.label('branch', resource['vcs.ref.head.name']);
  notes.label('commit', resource['vcs.ref.head.revision']);
  notes.label(
    'person',
    firstText(
      attributes['user.id'],
      attributes['enduser.id'],
      attributes['langfuse.user.id'],
      attributes['ai.telemetry.metadata.userId'],
    ),
  );
  notes.label('agent', agent?.name);
  notes.label('model', findModel(attributes));
  return { ...notes.head(), ...(agent === undefined ? {} : { agent }) };
}

export function findModel(attributes: Fields): string | undefined {
  return firstText(
    attributes['gen_ai.request.model'],
    attributes['gen_ai.response.model'],
    attributes['llm.model_name'],
    attributes['ai.model.id'],
    attributes['langfuse.observation.model.name'],
    attributes['model_name'],
    attributes['mlflow.llm.model'],
    toFields(readJson(attributes['llm.invocation_parameters']))['model'],
  );
}

/**
 * Returns the model from the name of the span, which is `chat MODEL` in the conventions; undefined if the name contains
 * no model.
 */
export function nameModel({ name, attributes }: OtlpSpan): string | undefined {
  const operation = toText(attributes['gen_ai.operation.name']);
  return operation !== undefined && name.startsWith(`${operation} `) ? name.slice(operation.length + 1) : undefined;
}

const MOST_AGENT_CHARS = 255;

function findAgent(span: OtlpSpan): SessionHead['agent'] {
  const { attributes } = span;
  const isAgent = attributes['traceloop.span.kind'] === 'agent';
  const named = firstText(
    attributes['gen_ai.agent.name'],
    attributes['agent.name'],
    attributes['agent_name'],
    attributes['langfuse.observation.type'] === 'agent' ? span.name : undefined,
    isAgent ? attributes['traceloop.entity.name'] : undefined,
    attributes['ai.telemetry.functionId'],
  );
  const id = toText(attributes['gen_ai.agent.id']) ?? named;
  return id === undefined
    ? undefined
    : { id: id.slice(0, MOST_AGENT_CHARS), name: (named ?? id).slice(0, MOST_AGENT_CHARS) };
}
