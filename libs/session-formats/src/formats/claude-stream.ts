import { firstText, toFields, toList, toText, type Fields } from '../rules/json-access.ts';

/** What `claude -p --output-format stream-json` and the SDK print, and claude-code-action keeps; `json` prints the `result` alone. */
const STREAM_TYPES: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant', 'result', 'stream_event']);

export function isStreamLine(value: Fields): boolean {
  if (!STREAM_TYPES.has(value['type']) || 'sessionId' in value) return false;
  return toText(value['session_id']) !== undefined && ['message', 'subtype', 'event'].some((key) => key in value);
}

/** The line as a transcript has it. */
export function fromStream(line: Fields): Fields {
  if (!isStreamLine(line)) return line;
  const { session_id: sessionId, claude_code_version: version, ...rest } = line;
  return { ...rest, sessionId, ...(version === undefined ? {} : { version }) };
}

/** What was answered last stands once more in the `result` at the end. */
export function createResultReader() {
  let answered = '';
  return {
    /** Words of a result that were not said before; empty for one that only repeats; undefined for other lines. */
    read(line: Fields): string | undefined {
      if (line['type'] === 'assistant') {
        const content = toFields(line['message'])['content'];
        const texts = typeof content === 'string' ? [content] : toList(content).map((block) => toFields(block)['text']);
        answered = texts.filter((text) => typeof text === 'string').join('\n') || answered;
      }
      if (line['type'] === 'stream_event') return '';
      if (line['type'] !== 'result') return undefined;
      const errors = toList(line['errors']).filter((error) => typeof error === 'string');
      const said = firstText(line['result'], errors.join('\n')) ?? '';
      return said.trim() === answered.trim() ? '' : said;
    },
  };
}
