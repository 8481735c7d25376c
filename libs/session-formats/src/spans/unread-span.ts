import type { OtlpSpan } from '@steward/otlp';
import { findSpanKind } from './span-kind.ts';
import { readSpanMessages } from './span-messages.ts';
import { readSpan } from './read-span.ts';

/** A span of an agent whose text was not recognized. */
export interface UnreadSpan {
  /** Name of the attribute that contains the text. */
  readonly attribute: string;
  /** Convention to which the attribute belongs, from a fixed list; `other` for any other convention. */
  readonly convention: string;
}

/**
 * Prefixes of the attributes that products write to agent spans; even a supported product may write attributes that are
 * not read.
 */
const CONVENTIONS = [
  ...['gen_ai', 'llm', 'ai', 'openinference', 'traceloop', 'langfuse', 'mlflow', 'pydantic_ai', 'gcp.vertex.agent'],
  ...['braintrust', 'weave', 'lk', 'agentops', 'crewai', 'smolagents', 'haystack', 'llamaindex', 'semantic_kernel'],
  ...[
    'autogen',
    'dspy',
    'litellm',
    'helicone',
    'opik',
    'humanloop',
    'portkey',
    'lunary',
    'galileo',
    'langsmith',
    'langchain',
  ],
  ...['agno', 'letta', 'strands', 'mastra', 'genkit', 'copilot', 'claude_code', 'codex', 'bedrock', 'agent'],
];
const WORDS =
  /(?:^|[._])(?:input|output|prompt|completion|message|content|request|response|argument|arg|result|question|answer|query|instruction)(?:s|_json|_text|_messages|_value|_data)?$/i;

/**
 * Returns the attribute that contains the unread text of a span; undefined for a span that was read, that repeats
 * others, or that is unrelated to agents.
 */
export function findUnread(span: OtlpSpan): UnreadSpan | undefined {
  const { attributes } = span;
  const kind = findSpanKind(span);
  if (hasWords(span, kind)) return undefined;
  const found = Object.entries(attributes).find(
    ([name, value]) => typeof value === 'string' && value.length > 1 && isAbout(name, kind) && WORDS.test(name),
  )?.[0];
  if (found === undefined) return undefined;
  return { attribute: found, convention: nameConvention(found) ?? 'other' };
}

/**
 * Returns true if an attribute may contain the text of an agent. In the span of a model call, a tool call or an agent,
 * any attribute may contain it; in other spans, only attributes of agent products are considered.
 */
function isAbout(name: string, kind: string | undefined): boolean {
  return (kind !== undefined && kind !== 'step') || nameConvention(name) !== undefined;
}

function nameConvention(name: string): string | undefined {
  return CONVENTIONS.find((prefix) => name.startsWith(`${prefix}.`));
}

/** Attributes that identify steps in supported conventions; these steps repeat the spans below them. */
const READ_STEPS = [
  'ai.operationId',
  'openinference.span.kind',
  'traceloop.span.kind',
  'langfuse.observation.type',
  'mlflow.spanType',
];

function hasWords(span: OtlpSpan, kind: string | undefined): boolean {
  if (kind === 'step') return READ_STEPS.some((name) => name in span.attributes);
  if (kind === undefined) return false;
  if (kind !== 'tool') {
    const { input, output } = readSpanMessages(span);
    return input.length + output.length > 0;
  }
  return readSpan(span).some(
    (entry) =>
      entry.kind === 'tool_call' &&
      [entry.arguments, entry.result].some((value) => value !== null && value !== undefined),
  );
}
