import { readFileSync } from 'node:fs';

/** A text from an agent's session, and the queries with which a reader would search for it. */
export interface LookupText {
  readonly id: string;
  readonly kind: 'tool_call' | 'transcript_message' | 'operator_note';
  readonly text: string;
  /** Queries by class; each one is visible in the text. */
  readonly lookups: Readonly<Record<string, readonly string[]>>;
}

export interface Lookup {
  readonly query: string;
  readonly lookupClass: string;
  readonly textId: string;
}

const LONG_LOG = 'long-build-log';
const LONG_LOG_LENGTH = 81_000;

/** Returns 40 texts with their queries; 98 % of the queries must find their text. */
export function readLookupTexts(): LookupText[] {
  const json = readFileSync(new URL('texts.json', import.meta.url), 'utf8');
  return (JSON.parse(json) as LookupText[]).map((text) =>
    text.id === LONG_LOG ? { ...text, text: buildLongLog() } : text,
  );
}

/** Returns a build log that succeeds for 81 KB and fails in its last lines. */
function buildLongLog(): string {
  const lines: string[] = [];
  for (let step = 1, length = 0; length < LONG_LOG_LENGTH; step += 1) {
    const line = `[${step}/1460] cc -O2 -c third_party/zlib-ng/unit${step}.c -o build/unit${step}.o`;
    lines.push(line);
    length += line.length + 1;
  }
  lines.push(
    'ld: build/archive.o: undefined reference to `ZSTD_compressStream2`',
    'collect2: error: ld returned 1 exit status',
    'ninja: build stopped: linker_command_failed',
  );
  return lines.join('\n');
}

export function listLookups(texts: readonly LookupText[]): Lookup[] {
  return texts.flatMap(({ id, lookups }) =>
    Object.entries(lookups).flatMap(([lookupClass, queries]) =>
      queries.map((query) => ({ query, lookupClass, textId: id })),
    ),
  );
}
