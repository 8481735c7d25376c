import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { beginChain, extendChain, type ChainedEntry } from '@steward/audit/chain';
import { countNoun } from '@steward/text';
import type { CliContext } from '../cli-context.ts';
import { EXIT, refuse } from '../exit-codes.ts';
import { requestLines, runExport } from './export-lines.ts';

const EXPORT_PATH = '/api/v1/audit-log/export';

export interface AuditExportOptions {
  readonly output?: string;
  readonly after?: number;
}

/** Seal, identified by its number and digest (hex). */
export interface Head {
  readonly number: number;
  readonly digest: string;
}

export interface AuditVerifyOptions {
  readonly head?: Head;
}

/** Runs `steward audit export`. */
export async function runAuditExport(context: CliContext, { output, after = 0 }: AuditExportOptions): Promise<void> {
  await runExport(context, after === 0 ? EXPORT_PATH : `${EXPORT_PATH}?after=${after}`, output);
}

/** Runs `steward audit verify`: reads exports, or requests them from the service, and recomputes each digest. */
export async function runAuditVerify(
  context: CliContext,
  files: readonly string[],
  { head }: AuditVerifyOptions,
): Promise<void> {
  const { output, setExitCode } = context;
  const chain = new Chain(head);
  const sources = files.length === 0 ? [requestLines(context, EXPORT_PATH)] : files.map(readFile);
  for (const lines of sources) {
    for await (const line of lines) chain.take(readRecord(line));
    chain.endSource();
  }
  const { problem, head: last, entries, removed } = chain.end();
  if (problem !== undefined) {
    output.note(problem);
    setExitCode(EXIT.failed);
    return;
  }
  if (last === undefined) output.line('The audit log has no seals yet.');
  else {
    const before =
      removed === undefined ? '' : ` Older entries deleted at the end of their retention period: ${removed}.`;
    const count = countNoun(entries, 'entry', 'entries');
    output.line(`${count}: no entry was changed, removed or inserted among those up to the last seal.${before}`);
    output.line(`head ${last.number}:${last.digest}`);
  }
}

type Line =
  | {
      readonly record: 'log';
      readonly account_id: string;
      readonly after: number;
      readonly digest: string;
      readonly removed?: { readonly entries: number };
    }
  | ({ readonly record: 'entry' } & ChainedEntry)
  | {
      readonly record: 'seal';
      readonly number: number;
      readonly entries: number;
      readonly previous_digest: string;
      readonly digest: string;
    }
  | { readonly record: 'end'; readonly seals: number; readonly entries: number; readonly unknown?: number };

class Chain {
  readonly #known: Head | undefined;
  #digest: Buffer | undefined;
  #last: Head | undefined;
  #entries: ChainedEntry[] = [];
  #count = 0;
  /** Counters of the export that is being read. */
  #read = { seals: 0, entries: 0, hasEnd: false };
  #isKnownSeen = false;
  /**
   * Last seal that was removed by retention before the first export, and whether a sealed entry records its removal.
   */
  #removed: (Head & { readonly entries: number; readonly isSaid: boolean }) | undefined;
  #problem: string | undefined;

  constructor(known: Head | undefined) {
    this.#known = known;
  }

  take(line: Line): void {
    if (this.#problem !== undefined) return;
    if (line.record === 'log') this.#begin(line);
    else if (line.record === 'seal') this.#seal(line);
    else if (line.record === 'end') this.#end(line);
    else if (line.record === 'entry') {
      const { record: _record, ...entry } = line;
      this.#entries.push(entry);
    }
  }

  /** Ends an export, which is complete if it contains its last line. */
  endSource(): void {
    if (!this.#read.hasEnd) this.#problem ??= 'An export has no "end" record: it was interrupted or truncated.';
    this.#read = { seals: 0, entries: 0, hasEnd: false };
  }

  end(): {
    readonly problem: string | undefined;
    readonly head: Head | undefined;
    readonly entries: number;
    readonly removed: number | undefined;
  } {
    const known = this.#known;
    const removed = this.#removed;
    if (removed?.isSaid === false)
      this.#problem ??= `The log begins after seal ${removed.number}, but no entry records that retention removed earlier entries.`;
    const isLost = this.#problem === undefined && known !== undefined && !this.#isKnownSeen;
    const problem = isLost
      ? `Seal ${known.number}, which was given with --head, is missing: the log was truncated or replaced.`
      : this.#problem;
    return { problem, head: this.#last, entries: this.#count, removed: removed?.entries };
  }

  /**
   * Begins an export. A later export continues the previous one; the first one begins the chain or continues the given
   * head.
   */
  #begin({ account_id: accountId, after, digest, removed }: Extract<Line, { readonly record: 'log' }>): void {
    const known = this.#known;
    if (after === 0 && this.#last === undefined) this.#digest = beginChain(accountId);
    else if (after === known?.number && this.#last === undefined) {
      if (digest !== known.digest)
        this.#problem = `The digest of seal ${after} differs from the one given with --head: the log was rewritten.`;
      this.#digest = Buffer.from(known.digest, 'hex');
      this.#isKnownSeen = true;
      this.#last = known;
    } else if (removed !== undefined && this.#last === undefined) this.#beginLater({ number: after, digest }, removed);
    else if (after !== this.#last?.number)
      this.#problem = `An export begins after seal ${after}: pass the earlier exports as well, or that seal as --head.`;
  }

  /**
   * Begins with a log whose first part was removed. Without earlier exports, only the entry about the removal proves
   * which entries were removed.
   */
  #beginLater(base: Head, { entries }: { readonly entries: number }): void {
    const known = this.#known;
    if (known !== undefined && known.number < base.number)
      this.#problem = `Seal ${known.number}, which was given with --head, was removed by retention, like all seals up to ${base.number}: pass the exports that contain it.`;
    this.#digest = Buffer.from(base.digest, 'hex');
    this.#last = base;
    this.#removed = { ...base, entries, isSaid: false };
  }

  /** Notes whether a sealed entry records that retention removed the part before the log. */
  #findRemoval(entries: readonly ChainedEntry[]): void {
    const removed = this.#removed;
    if (removed === undefined) return;
    const says = ({ action, resource_type: type, details }: ChainedEntry): boolean => {
      const { last_seal: seal, digest } = details as { readonly last_seal?: unknown; readonly digest?: unknown };
      return action === 'prune' && type === 'audit_log' && seal === removed.number && digest === removed.digest;
    };
    if (entries.some(says)) this.#removed = { ...removed, isSaid: true };
  }

  #end({ seals, entries, unknown = 0 }: Extract<Line, { readonly record: 'end' }>): void {
    const { seals: readSeals, entries: readEntries } = this.#read;
    this.#read.hasEnd = true;
    if (this.#entries.length > 0) this.#problem = 'The export contains entries after its last seal.';
    else if (seals !== readSeals || entries !== readEntries)
      this.#problem = `The "end" record states ${describeContent(seals, entries)}, but the export contains ${describeContent(readSeals, readEntries)}.`;
    else if (unknown > 0)
      this.#problem = `Entries that the service did not add: ${unknown} (they have no seal and are not waiting for one).`;
  }

  #seal({ number, entries, digest, previous_digest: previous }: Extract<Line, { readonly record: 'seal' }>): void {
    const before = this.#last?.number ?? 0;
    const found = this.#entries;
    this.#entries = [];
    this.#read.seals += 1;
    this.#read.entries += found.length;
    if (this.#digest === undefined)
      this.#problem = 'The beginning of the export is missing: the first line must be its "log" record.';
    else if (number !== before + 1) this.#problem = `Seal ${before + 1} is missing.`;
    else if (previous !== this.#digest.toString('hex'))
      this.#problem = `Seal ${number} does not continue the previous seal.`;
    else if (found.length !== entries)
      this.#problem = `Seal ${number} covers ${countNoun(entries, 'entry', 'entries')}; entries found: ${found.length}.`;
    else {
      this.#digest = extendChain(this.#digest, found);
      const known = this.#known?.number === number ? this.#known : undefined;
      if (this.#digest.toString('hex') !== digest) this.#problem = `An entry of seal ${number} was changed.`;
      else if (known !== undefined && known.digest !== digest)
        this.#problem = `The digest of seal ${number} differs from the one given with --head: the log was rewritten.`;
      this.#isKnownSeen ||= known !== undefined;
      this.#last = { number, digest };
      this.#findRemoval(found);
      this.#count += found.length;
    }
  }
}

function describeContent(seals: number, entries: number): string {
  return `${countNoun(seals, 'seal')} and ${countNoun(entries, 'entry', 'entries')}`;
}

async function* readFile(path: string): AsyncGenerator<string> {
  try {
    yield* createInterface({ input: createReadStream(path), crlfDelay: Infinity });
  } catch (error) {
    throw refuse(`${path} cannot be read: ${(error as Error).message}`);
  }
}

function readRecord(line: string): Line {
  try {
    return JSON.parse(line) as Line;
  } catch {
    throw refuse('A line is not JSON: this is not an export of the audit log.');
  }
}
