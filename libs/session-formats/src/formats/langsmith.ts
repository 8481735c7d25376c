import { NOTHING, type FormatOptions, type FormatReader } from '../format-reader.ts';
import { toToolName } from '../rules/chat-message.ts';
import { cleanContent, cleanToolValue } from '../rules/clean-content.ts';
import { boundedId, hashContent } from '../rules/entry-id.ts';
import { firstText, isFields, toFields, toList, toText, toTime, type Fields } from '../rules/json-access.ts';
import { readEach } from '../rules/read-each.ts';
import { readTokens } from '../rules/read-tokens.ts';
import type { ImportedEntry } from '../session-item.ts';
import { createSessionNotes } from '../session-notes.ts';

const TOOL_RUNS: ReadonlySet<string> = new Set(['tool', 'retriever', 'embedding']);
const INNER_RUNS: ReadonlySet<string> = new Set(['chain', 'prompt', 'parser']);

/** Reads runs as LangSmith exports them: one per record, or lists of them in `runs`. */
export function createLangSmithReader({ sourceId }: FormatOptions): FormatReader {
  function readRun(run: Fields) {
    const metadata = toFields(toFields(run['extra'])['metadata']);
    const thread = firstText(metadata['thread_id'], metadata['session_id'], metadata['conversation_id']);
    const id = firstText(sourceId, thread, run['trace_id'], run['id']) ?? hashContent(run);
    const notes = createSessionNotes('langsmith', id);
    notes.label('model', firstText(metadata['ls_model_name'], metadata['model']));
    notes.label('repo', metadata['repo']);
    notes.label('branch', metadata['branch']);
    const type = toType(run);
    // Steps within a chain repeat the runs below them; the outermost step contains the input and the output.
    if (INNER_RUNS.has(type) && toText(run['parent_run_id']) !== undefined) return NOTHING;
    const entry = toEntry(run, type, metadata);
    return entry === undefined ? { items: [], unknown: nameType(type) } : { items: [{ session: notes.head(), entry }] };
  }

  return {
    read(record) {
      const fields = toFields(record);
      if (!Array.isArray(fields['runs'])) return readRun(fields);
      const runs = toList(fields['runs']);
      const unknown = runs.map((run) => toType(toFields(run))).find((type) => !isKnown(type));
      const items = readEach(runs, (run) => readRun(run).items);
      return { items, ...(unknown === undefined ? {} : { unknown: nameType(unknown) }) };
    },
    end: () => [],
  };
}

function toType(run: Fields): string {
  return toText(run['run_type']) ?? '';
}

function isKnown(type: string): boolean {
  return type === 'llm' || TOOL_RUNS.has(type) || INNER_RUNS.has(type);
}

function nameType(type: string): string {
  return type === '' ? 'no run_type' : type;
}

function toEntry(run: Fields, type: string, metadata: Fields): ImportedEntry | undefined {
  const error = toText(run['error']);
  const base = {
    externalId: boundedId(toText(run['id']) ?? hashContent(run)),
    occurredAt: toTime(run['start_time'], run['startTime']),
    status: error === undefined ? (toText(run['status']) ?? 'ok').slice(0, 64) : 'error',
  };
  const inputs = unwrapLangChain(run['inputs']);
  const answered = unwrapLangChain(run['outputs']);
  const outputs = error === undefined ? answered : { error, outputs: answered ?? null };
  if (type === 'llm') {
    const invocation = toFields(toFields(run['extra'])['invocation_params']);
    const model = firstText(metadata['ls_model_name'], invocation['model'], invocation['model_name'], run['name']);
    return {
      ...base,
      kind: 'interaction',
      model: toToolName(model),
      provider: toToolName(firstText(metadata['ls_provider'])),
      request: cleanContent(inputs),
      response: cleanContent(outputs),
      ...readTokens(findUsage(run)),
    };
  }
  if (!isKnown(type)) return undefined;
  return {
    ...base,
    kind: 'tool_call',
    toolName: toToolName(run['name']),
    arguments: cleanToolValue(inputs),
    result: cleanToolValue(outputs),
  };
}

/** Returns the usage of the run, with LangChain's details. */
function findUsage(run: Fields): Fields {
  const outputs = toFields(run['outputs']);
  const [first] = toList(toList(outputs['generations'])[0]);
  const message = toFields(toFields(first)['message']);
  const listed = toFields(toFields(toFields(run['extra'])['metadata'])['usage_metadata']);
  const said = toFields(
    outputs['usage_metadata'] ??
      toFields(message['kwargs'] ?? message)['usage_metadata'] ??
      toFields(outputs['llm_output'])['token_usage'],
  );
  const { prompt_tokens, completion_tokens } = run;
  const own = Object.entries({ prompt_tokens, completion_tokens }).filter(([, count]) => typeof count === 'number');
  const { input_token_details, output_token_details, ...rest } = { ...said, ...listed };
  const details = {
    input_token_details: input_token_details ?? run['prompt_token_details'],
    output_token_details: output_token_details ?? run['completion_token_details'],
  };
  return { ...(own.length > 0 ? Object.fromEntries(own) : rest), ...details };
}

const NOISE: ReadonlySet<string> = new Set([
  'usage_metadata',
  'response_metadata',
  'generation_info',
  'llm_output',
  'token_usage',
  'additional_kwargs',
  'invalid_tool_calls',
  'tool_call_chunks',
]);

/**
 * Converts `{lc: 1, type: "constructor", id: ["langchain", ..., "HumanMessage"], kwargs}` to its kwargs with a role.
 */
function unwrapLangChain(value: unknown, depth = 0): unknown {
  if (depth > 100) return value;
  if (Array.isArray(value)) return value.map((entry) => unwrapLangChain(entry, depth + 1));
  if (!isFields(value)) return value;
  if (value['lc'] !== undefined && isFields(value['kwargs'])) {
    const name = toText(toList(value['id']).at(-1)) ?? '';
    const role = ROLES[name.replace(/Chunk$/, '')];
    const kwargs = unwrapLangChain(value['kwargs'], depth + 1) as Fields;
    return role === undefined ? kwargs : { role, ...kwargs };
  }
  const kept = Object.entries(value).filter(([key, entry]) => !NOISE.has(key) || isSaid(key, entry));
  const unwrapped = Object.fromEntries(kept.map(([key, entry]) => [key, unwrapLangChain(entry, depth + 1)]));
  const role = findRole(value);
  return role === undefined ? unwrapped : { ...unwrapped, role };
}

/**
 * Returns the role of a message according to its LangChain role or its `type`, such as `human` or `HumanMessageChunk`;
 * undefined for any other value.
 */
function findRole(message: Fields): string | undefined {
  if (!('content' in message)) return undefined;
  const named = firstText(message['role'], message['type']) ?? '';
  const role = TYPES[named] ?? ROLES[named.replace(/Chunk$/, '')];
  return role ?? (named === 'chat' ? toText(message['role']) : undefined);
}

const TYPES: Readonly<Record<string, string>> = {
  human: 'user',
  ai: 'assistant',
  system: 'system',
  developer: 'developer',
  tool: 'tool',
  function: 'function',
};

const ROLES: Readonly<Record<string, string>> = {
  HumanMessage: 'user',
  AIMessage: 'assistant',
  SystemMessage: 'system',
  ToolMessage: 'tool',
  FunctionMessage: 'function',
};

/** Returns true if a field that usually repeats other fields has content of its own. */
function isSaid(key: string, value: unknown): boolean {
  if (key === 'invalid_tool_calls') return toList(value).length > 0;
  return key === 'additional_kwargs' && ADDED.some((name) => toFields(value)[name] !== undefined);
}

const ADDED = ['tool_calls', 'function_call', 'reasoning_content', 'reasoning', 'refusal', 'audio'];
