import type { OtlpSpan } from '@steward/otlp';
import { toText } from '../rules/json-access.ts';

/**
 * Role of a span in an agent's run: a model call, a tool call, an agent with its input and output, or a step that only
 * names the session of the other spans.
 */
export type SpanKind = 'model' | 'tool' | 'agent' | 'step';

/** Kinds by the values of `gen_ai.operation.name` of the semantic conventions. */
const OPERATIONS: Readonly<Record<string, SpanKind>> = {
  chat: 'model',
  text_completion: 'model',
  generate_content: 'model',
  embeddings: 'model',
  execute_tool: 'tool',
  retrieval: 'tool',
  invoke_agent: 'agent',
  invoke_workflow: 'agent',
};

/** Kinds by the values of `openinference.span.kind`. */
const OPEN_INFERENCE: Readonly<Record<string, SpanKind>> = {
  LLM: 'model',
  EMBEDDING: 'model',
  TOOL: 'tool',
  RETRIEVER: 'tool',
  RERANKER: 'tool',
  GUARDRAIL: 'tool',
  EVALUATOR: 'tool',
  AGENT: 'agent',
};

/** Kinds by the values of `traceloop.span.kind`. */
const TRACELOOP: Readonly<Record<string, SpanKind>> = { tool: 'tool', agent: 'agent' };

/** Kinds by the values of `langfuse.observation.type`. */
const LANGFUSE: Readonly<Record<string, SpanKind>> = {
  generation: 'model',
  embedding: 'model',
  tool: 'tool',
  retriever: 'tool',
  agent: 'agent',
};

/** Kinds by the values of `mlflow.spanType`, which are JSON strings. */
const MLFLOW: Readonly<Record<string, SpanKind>> = {
  LLM: 'model',
  CHAT_MODEL: 'model',
  EMBEDDING: 'model',
  TOOL: 'tool',
  RETRIEVER: 'tool',
  AGENT: 'agent',
};

/** Attributes in which Pydantic AI stores a run; its older versions do not name the operation. */
const PYDANTIC_RUNS = ['pydantic_ai.all_messages', 'all_messages_events'];

const MODEL_CALL = /\.do(Generate|Stream|Embed)$/;
const PREFIXES = [
  'gen_ai.',
  'llm.',
  'openinference.',
  'traceloop.',
  'ai.operationId',
  'ai.toolCall.',
  'gcp.vertex.agent.',
];
const PROMPTS = ['gen_ai.request.model', 'gen_ai.prompt', 'gen_ai.prompt.0.content', 'llm.prompts.0.content'];

/** Returns the kind of a span; undefined for a span unrelated to models. */
export function findSpanKind(span: OtlpSpan): SpanKind | undefined {
  const { attributes, parentSpanId } = span;
  const read = (name: string): string | undefined => toText(attributes[name]);
  const named = findNamedKind(span);
  if (named !== undefined) return named;
  const operation = read('gen_ai.operation.name');
  if (operation !== undefined && Object.hasOwn(OPERATIONS, operation)) return OPERATIONS[operation];
  const loop = read('traceloop.span.kind');
  if (loop !== undefined) return TRACELOOP[loop] ?? ofOutermost(loop === 'workflow', parentSpanId);
  if (PYDANTIC_RUNS.some((name) => name in attributes)) return 'agent';
  if (read('gen_ai.tool.name') !== undefined) return 'tool';
  if (operation === undefined && (read('llm.request.type') !== undefined || PROMPTS.some((name) => name in attributes)))
    return 'model';
  return Object.keys(attributes).some((name) => PREFIXES.some((prefix) => name.startsWith(prefix)))
    ? 'step'
    : undefined;
}

/** Returns the kind that the SDK itself gives the span. */
function findNamedKind({ attributes, parentSpanId }: OtlpSpan): SpanKind | undefined {
  const read = (name: string): string | undefined => toText(attributes[name]);
  // The Vercel SDK uses its own operation names; spans that enclose a call repeat its content.
  const vercel = read('ai.operationId');
  if (vercel !== undefined) return vercel === 'ai.toolCall' ? 'tool' : MODEL_CALL.test(vercel) ? 'model' : 'step';
  const inference = read('openinference.span.kind')?.toUpperCase();
  // The outermost step contains the input and the output; the inner steps repeat the calls below them.
  if (inference !== undefined) return OPEN_INFERENCE[inference] ?? ofOutermost(inference === 'CHAIN', parentSpanId);
  const langfuse = read('langfuse.observation.type');
  if (langfuse !== undefined) return LANGFUSE[langfuse] ?? ofOutermost(/^(?:span|chain)$/.test(langfuse), parentSpanId);
  const mlflow = read('mlflow.spanType')?.replaceAll('"', '');
  return mlflow === undefined ? undefined : (MLFLOW[mlflow] ?? ofOutermost(true, parentSpanId));
}

function ofOutermost(isFrame: boolean, parentSpanId: string | undefined): SpanKind {
  return isFrame && parentSpanId === undefined ? 'agent' : 'step';
}
