import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { countNoun } from '@steward/text';
import type { ApiClient } from '../api/api-client.ts';
import { describeRefusal, readAnswer } from '../api/answer.ts';
import type { CliContext } from '../cli-context.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { cleanText } from '../output.ts';
import { createGarbageCall } from './collect-garbage.ts';
import type { SessionFile } from './find-session-files.ts';
import { hashFile, packSessionFile, type PackedFile } from './pack-session-file.ts';
import { UnreadableFileError } from './read-packed.ts';
import type { SentFiles } from './sent-files.ts';

export interface ImportTask {
  readonly context: CliContext;
  readonly client: ApiClient;
  readonly sent: SentFiles;
  readonly labels: readonly string[];
  /** Finds all files that exist now, in order. */
  readonly find: () => AsyncGenerator<SessionFile, void, undefined>;
}

export interface ImportTotals {
  files: number;
  unchanged: number;
  sessions: number;
  entries: number;
  hidden: number;
  failed: number;
}

/** Time limit of a request, longer than the service may take to process one file. */
const IMPORT_WITHIN_MS = 180_000;
const IMPORT_RETRIES = 6;
/** Number of concurrent imports; the service accepts four per account. */
const FILES_AT_ONCE = 2;
const COLLECTED_AFTER_FILES = 100;
const IMPORT_PATH = '/api/v1/runtime-sessions/import';

export interface FileImporter {
  /** Imports all files that are new or have changed since the previous round. */
  runRound(): Promise<ImportTotals>;
}

/**
 * Creates an importer that sends files that the service does not have yet; a changed file is sent completely, since the
 * service adds only new content.
 */
export function createFileImporter(task: ImportTask): FileImporter {
  const { context, client, sent } = task;
  const noteSent = createGarbageCall(COLLECTED_AFTER_FILES);
  /** State of each file at the last check, so that a round over many files is cheap. */
  const seen = new Map<string, string>();

  async function importFile(file: SessionFile, totals: ImportTotals): Promise<void> {
    const state = await readState(file);
    totals.files += 1;
    if (state === undefined || seen.get(file.path) === state) {
      totals.unchanged += 1;
      return;
    }
    const known = sent.find(file.path);
    try {
      if (known !== undefined && known === (await hashFile(file))) totals.unchanged += 1;
      else await sendFile(file, await packSessionFile(file), totals);
    } catch (error) {
      if (!(error instanceof UnreadableFileError)) throw error;
      totals.failed += 1;
      context.output.note(cleanText(error.message));
    }
    seen.set(file.path, state);
  }

  async function sendFile(file: SessionFile, packed: PackedFile, totals: ImportTotals): Promise<void> {
    const query = new URLSearchParams(task.labels.map((label): [string, string] => ['label', label]));
    const sourceId = file.sourceId ?? packed.sourceId;
    if (sourceId !== undefined) query.set('session_source_id', sourceId);
    const endedAt = file.isTimeless === true ? await findEnd(file.path) : undefined;
    if (endedAt !== undefined) query.set('ended_at', endedAt.toISOString());
    const response = await client.send('POST', `${IMPORT_PATH}?${query.toString()}`, {
      bytes: packed.bytes,
      headers: { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' },
      retries: IMPORT_RETRIES,
      timeoutMs: IMPORT_WITHIN_MS,
    });
    const answer = await readAnswer(response);
    if (answer.status >= 500 || answer.status === 429) throw new CliError(EXIT.timedOut, describeRefusal(answer));
    if (answer.status === 401 || answer.status === 403) throw new CliError(EXIT.refused, describeRefusal(answer));
    if (answer.status >= 300) {
      totals.failed += 1;
      context.output.note(`${cleanText(file.path)}: ${describeRefusal(answer)}`);
      return;
    }
    const { sessions, entries, copied, format } = answer.body;
    // A file that was not recognized is sent again, because a later version of the service may support it.
    if (format !== null) sent.add(file.path, packed.hash);
    else if (file.isAskedFor === true) totals.failed += 1;
    noteSent();
    totals.sessions += Number(sessions);
    totals.entries += Number(entries);
    for (const count of packed.hidden.values()) totals.hidden += count;
    const what =
      format === null
        ? 'no session'
        : `${String(format)}, ${countNoun(Number(sessions), 'session')}, ${countNoun(Number(entries), 'new entry', 'new entries')}${describeCopied(copied)}`;
    const left = describeLeftOut(answer.body);
    context.output.line(`${cleanText(file.path)}: ${what}${left}${describeHidden(packed)}`);
  }

  return {
    async runRound() {
      const totals: ImportTotals = { files: 0, unchanged: 0, sessions: 0, entries: 0, hidden: 0, failed: 0 };
      const files = task.find();
      const work = async (): Promise<void> => {
        for (let next = await files.next(); next.done !== true; next = await files.next()) {
          context.signal.throwIfAborted();
          await importFile(next.value, totals);
        }
      };
      await Promise.all(Array.from({ length: FILES_AT_ONCE }, work));
      return totals;
    },
  };
}

/** Describes how many entries are copies inherited by a fork. */
function describeCopied(copied: unknown): string {
  return typeof copied === 'number' && copied > 0 ? ` (${copied} of them copied from another session)` : '';
}

const NAMES: Readonly<Record<string, string>> = {
  broken: 'invalid JSON',
  too_long: 'too long',
  too_large: 'too large',
};

/** Describes unrecognized lines, by kind, and the service's warnings about the file. */
function describeLeftOut({ unknown_lines: unknown, warnings }: Readonly<Record<string, unknown>>): string {
  const kinds = Object.entries((unknown ?? {}) as Record<string, number>);
  const counts = kinds.map(([kind, count]) => `${count} ${cleanText(NAMES[kind] ?? kind)}`);
  const lines = counts.length === 0 ? '' : `; unread lines: ${counts.join(', ')}`;
  const said = Array.isArray(warnings) ? warnings.map((warning) => `; ${cleanText(String(warning))}`) : [];
  return lines + said.join('');
}

/** Describes hidden credentials, by rule, and records that are too long to be sent. */
export function describeHidden({ hidden, tooLong }: Pick<PackedFile, 'hidden' | 'tooLong'>): string {
  const rules = [...hidden].map(([rule, count]) => `${count} ${rule}`);
  const credentials = rules.length === 0 ? '' : `; credentials hidden: ${rules.join(', ')}`;
  return tooLong === 0 ? credentials : `${credentials}; skipped records longer than 4194304 characters: ${tooLong}`;
}

/** Returns a value that changes with every change of the file; undefined if the file was deleted. */
async function readState({ path, state }: SessionFile): Promise<string | undefined> {
  if (state !== undefined) return state;
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found && [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(':');
}

/** Time without a change after which a session is considered ended. */
const AT_REST_MS = 24 * 3_600_000;

/** Returns the time at which a session without times ended; undefined while it may continue. */
async function findEnd(path: string): Promise<Date | undefined> {
  const { mtime } = await stat(path);
  return mtime.getTime() < Date.now() - AT_REST_MS ? mtime : undefined;
}

const ROUND_EVERY_MS = 2000;

/** Repeats rounds until interrupted. If the service is unavailable, the next round tries again. */
export async function watchFiles(
  importer: FileImporter,
  { signal, output }: Pick<CliContext, 'signal' | 'output'>,
): Promise<void> {
  while (!signal.aborted) {
    await delay(ROUND_EVERY_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    await importer.runRound().catch((error: unknown) => {
      if (signal.aborted) return;
      if (!(error instanceof CliError) || error.exitCode !== EXIT.timedOut) throw error;
      output.note(error.message);
    });
  }
}
