import type { Readable } from 'node:stream';

/** One entry of the output of the supervisor of a run. */
export type LogEntry =
  | { readonly kind: 'line'; readonly program: number; readonly stream: 'stdout' | 'stderr'; readonly text: string }
  | { readonly kind: 'exit'; readonly program: number; readonly code: number };

/**
 * Length above which a line is passed on in parts before its end arrives: output without line breaks must not fill the
 * memory of the worker.
 */
const MAX_LINE = 16 * 1024;
const ENTRY = /^([oex]) (\d+) /;

/**
 * Reads the log of a pod over one or more connections. Each line begins with its time, so that lines that a later
 * connection repeats can be recognized and omitted.
 */
export class PodLog {
  /** Time of the last line that was read, as written in the log. */
  #lastTime = '';

  /** Time from which the next connection reads the log; undefined for the whole log. */
  get since(): string | undefined {
    return this.#lastTime === '' ? undefined : this.#lastTime;
  }

  /** Reads one connection to its end, and waits until each entry has been processed. */
  async read(stream: Readable, onEntry: (entry: LogEntry) => Promise<void>): Promise<void> {
    const former = toNanoseconds(this.#lastTime);
    const decoder = new TextDecoder('utf-8');
    let rest = '';
    /** Time and marker of a long line that is passed on in parts; they are put in front of each part that follows. */
    let head: string | undefined;
    const take = async (line: string, isWhole: boolean): Promise<void> => {
      const text = head === undefined ? line : `${head}${line}`;
      const space = text.indexOf(' ');
      const time = text.slice(0, space);
      const content = text.slice(space + 1);
      head = isWhole ? undefined : text.slice(0, space + 1 + (ENTRY.exec(content)?.[0].length ?? 0));
      if (toNanoseconds(time) <= former) return;
      if (isWhole) this.#lastTime = time;
      const entry = parseEntry(content);
      if (entry !== undefined) await onEntry(entry);
    };
    for await (const data of stream as AsyncIterable<Buffer>) {
      rest += decoder.decode(data, { stream: true });
      for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 1);
        await take(line, true);
      }
      while (rest.length > MAX_LINE) {
        await take(rest.slice(0, MAX_LINE), false);
        rest = rest.slice(MAX_LINE);
      }
    }
  }
}

function parseEntry(content: string): LogEntry | undefined {
  const found = ENTRY.exec(content);
  if (found === null) return undefined;
  const [prefix, kind, number] = found;
  const program = Number(number);
  const text = content.slice(prefix.length).replace(/\r$/, '');
  if (kind === 'x') return { kind: 'exit', program, code: Number(text) };
  return { kind: 'line', program, stream: kind === 'o' ? 'stdout' : 'stderr', text };
}

/** Converts a time, whose trailing zeros may be omitted, to nanoseconds; returns 0 for a string that is not a time. */
function toNanoseconds(time: string): bigint {
  const {
    seconds,
    fraction = '',
    zone,
  } = /^(?<seconds>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(?<fraction>\d{1,9}))?(?<zone>Z|[+-]\d\d:\d\d)$/.exec(time)
    ?.groups ?? {};
  if (seconds === undefined) return 0n;
  return BigInt(Date.parse(`${seconds}${zone}`)) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}
