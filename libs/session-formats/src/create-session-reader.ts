import { nameForeign, nameNoJson } from './foreign-formats.ts';
import type { FormatOptions, FormatReader } from './format-reader.ts';
import { createChatReader } from './formats/chat.ts';
import { createClaudeCodeReader } from './formats/claude-code.ts';
import { createCodexReader } from './formats/codex.ts';
import { createExecReader, isExecEvent } from './formats/codex-exec.ts';
import { createCursorReader } from './formats/cursor.ts';
import { createGeminiReader } from './formats/gemini.ts';
import { createLangSmithReader } from './formats/langsmith.ts';
import { createOpenCodeReader } from './formats/opencode.ts';
import { createStewardReader } from './formats/steward.ts';
import { createVercelUiReader } from './formats/vercel-ui.ts';
import { createSessionNamer } from './name-sessions.ts';
import { createGrownEntries } from './rules/grown-entries.ts';
import { recogniseFormat } from './recognise-format.ts';
import type { SessionFormat, SessionItem } from './session-item.ts';

export interface SessionReaderOptions extends FormatOptions {
  /** Format of the file; if undefined, it is detected from the first records. */
  readonly format?: SessionFormat | undefined;
  /**
   * Parses a record; throws `RecordRefused` for a record that exceeds a limit, and any other error for invalid JSON.
   */
  readonly parse?: (record: string) => unknown;
}

/** Error for a valid record that contains more than may be stored. */
export class RecordRefused extends Error {}

export interface SessionReader {
  /**
   * Yields the entries that this record completes, each created on demand: a list in one record may contain very many
   * entries. They must be consumed before the next record is read. `record` is undefined for a record that is too long
   * to be stored.
   */
  read(record: string | undefined): Iterable<SessionItem>;
  /** Returns all entries that are waiting for further records. */
  end(): readonly SessionItem[];
  /** Format of the file; undefined until it is detected. */
  readonly format: SessionFormat | undefined;
  /**
   * Numbers of records that are unknown or contain something unknown, by kind. The kind is usually the type of the
   * record, or the name of a format that is not supported. It is `broken` for invalid JSON in any other format,
   * `too_long` for a record that is too long to be stored, `too_large` for a record that exceeds another limit, and
   * `other` if there are too many kinds.
   */
  readonly unknown: Readonly<Record<string, number>>;
  /** Number of records, without blank ones. */
  readonly records: number;
}

const READERS: Readonly<Record<SessionFormat, (options: FormatOptions) => FormatReader>> = {
  claude_code: createClaudeCodeReader,
  codex: createAnyCodexReader,
  gemini_cli: createGeminiReader,
  opencode: createOpenCodeReader,
  cursor: createCursorReader,
  openai_chat: (options) => createChatReader('openai_chat', options),
  anthropic_messages: (options) => createChatReader('anthropic_messages', options),
  vercel_ui: createVercelUiReader,
  langsmith: createLangSmithReader,
  steward: createStewardReader,
};

/** Creates a reader of rollouts, or of the output of `codex exec --json`. */
function createAnyCodexReader(options: FormatOptions): FormatReader {
  const rollout = createCodexReader(options);
  const exec = createExecReader(options);
  return {
    read: (record, place) => (isExecEvent(record) ? exec : rollout).read(record, place),
    end: () => [...exec.end(), ...rollout.end()],
  };
}

/**
 * Maximum number of kinds that are counted by name; a file of a known format contains only a few, but another file may
 * contain any number.
 */
const MOST_KINDS = 50;
const MOST_KIND_CHARS = 80;

/** Creates a reader for a file of any known format. It does not fail on any record: unknown records are counted. */
export function createSessionReader(options: SessionReaderOptions = {}): SessionReader {
  const { parse = JSON.parse as (record: string) => unknown } = options;
  const unknown = new Map<string, number>();
  let { format } = options;
  let reader = format === undefined ? undefined : READERS[format](options);
  let records = 0;
  const namer = createSessionNamer();
  const grown = createGrownEntries();

  function count(kind: string): void {
    const name = kind.slice(0, MOST_KIND_CHARS);
    const known = unknown.has(name) || unknown.size < MOST_KINDS ? name : 'other';
    unknown.set(known, (unknown.get(known) ?? 0) + 1);
  }

  function readValue(value: unknown): Iterable<SessionItem> {
    if (reader === undefined) {
      format = recogniseFormat(value);
      if (format === undefined) {
        count(nameForeign(value) ?? 'not recognised');
        return [];
      }
      reader = READERS[format](options);
    }
    const read = reader.read(value, records);
    if (read.unknown !== undefined) count(read.unknown);
    return namer.pass(grown.pass(read.items, format), format);
  }

  return {
    read(record) {
      records += 1;
      if (record === undefined) {
        count('too_long');
        return [];
      }
      let value: unknown;
      try {
        value = parse(record);
      } catch (error) {
        const name = format === undefined ? nameNoJson(record) : undefined;
        count(error instanceof RecordRefused ? 'too_large' : (name ?? 'broken'));
        return [];
      }
      return readValue(value);
    },
    end: () => [...namer.pass(grown.pass(reader?.end() ?? [], format), format), ...namer.release()],
    get format() {
      return format;
    },
    get unknown() {
      return Object.fromEntries(unknown);
    },
    get records() {
      return records;
    },
  };
}
