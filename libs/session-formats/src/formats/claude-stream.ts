import { firstText, toFields, toList, toText, type Fields } from '../rules/json-access.ts';

/**
 * Types of the lines that `claude -p --output-format stream-json` and the SDK print; claude-code-action stores them.
 * With `--output-format json`, only the `result` is printed.
 */
const STREAM_TYPES: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant', 'result', 'stream_event']);

export function isStreamLine(value: Fields): boolean {
  if (!STREAM_TYPES.has(value['type']) || 'sessionId' in value) return false;
  return toText(value['session_id']) !== undefined && ['message', 'subtype', 'event'].some((key) => key in value);
}

/** Converts a printed line to the notation of transcript files; returns any other line unchanged. */
export function fromStream(line: Fields): Fields {
  if (!isStreamLine(line)) return line;
  const { session_id: sessionId, claude_code_version: version, ...rest } = line;
  return { ...rest, sessionId, ...(version === undefined ? {} : { version }) };
}

export interface PrintedResult {
  /** Text that has not occurred before; undefined if the result only repeats earlier text. */
  readonly said: unknown;
  /** Token usage of a session for which only the result was printed; otherwise empty. */
  readonly usage: Fields;
}

/** Creates a reader of the `result` line at the end of a run. This line usually repeats the last response. */
export function createResultReader() {
  let answered: string | undefined;
  return {
    /** Reads a result. Returns an empty result for a `stream_event`, and undefined for any other line. */
    read(line: Fields): PrintedResult | undefined {
      if (line['type'] === 'assistant') {
        const content = toFields(line['message'])['content'];
        const texts = typeof content === 'string' ? [content] : toList(content).map((block) => toFields(block)['text']);
        answered = texts.filter((text) => typeof text === 'string').join('\n') || (answered ?? '');
      }
      if (line['type'] === 'stream_event') return { said: undefined, usage: {} };
      if (line['type'] !== 'result') return undefined;
      const errors = toList(line['errors']).filter((error) => typeof error === 'string');
      const text = firstText(line['result'], errors.join('\n'));
      const isRepeated = text !== undefined && text.trim() === answered?.trim();
      const said = isRepeated ? undefined : (text ?? line['structured_output'] ?? undefined);
      return { said, usage: answered === undefined ? toFields(line['usage']) : {} };
    },
  };
}
