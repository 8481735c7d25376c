import { DOWNLOADERS } from './commands.ts';
import { placePath } from './list-writes.ts';
import { goDeeper, spendBytes, type Reading, type Streams } from './reading.ts';
import { listOperands, NO_INPUT, type Field, type ShellProgram } from './shell-program.ts';

/** Programs that copy over the network only if a host is named. */
const COPY_PROGRAMS = new Set(['scp', 'rsync']);
const COPIES = new Set(['cp', 'mv', 'install', 'ln']);

/** Records files with downloaded content, and copies of them. */
export function noteDownload(
  reading: Reading,
  { program, writes }: ShellProgram,
  fields: readonly Field[],
  { input }: Streams,
): void {
  const upstream = input.kind === 'programs' ? input.names : [];
  const source = COPIES.has(program) ? listOperands(fields)[0] : undefined;
  const isRemote = !COPY_PROGRAMS.has(program) || listOperands(fields).some(({ text }) => /^[\w.@-]+:/.test(text));
  const from =
    [...(isRemote ? [program] : []), ...upstream].find((name) => DOWNLOADERS.has(name)) ??
    findDownload(reading, source);
  if (from !== undefined) for (const path of writes) reading.fetched.set(path, from);
}

/** Returns the program that downloaded a file. */
export function findDownload(reading: Reading, file: Field | undefined): string | undefined {
  const path = file === undefined ? undefined : placePath(reading, file);
  return path === undefined ? undefined : reading.fetched.get(path);
}

/** Records that a downloaded file is run. */
export function runFetched(reading: Reading, program: ShellProgram, file: Field): void {
  const from = findDownload(reading, file);
  if (from !== undefined) program.code_from.push(from);
}

/**
 * Records text that the command line writes to a file. The text is appended to earlier text, because the redirection
 * may append (`>>`).
 */
export function noteText(reading: Reading, path: string, printed: string): void {
  const text = (reading.texts.get(path) ?? '') + printed;
  spendBytes(reading, text.length);
  reading.texts.set(path, text);
}

/** Returns the content that the command line wrote to a file; undefined if it wrote none or the content is unknown. */
export function findWritten(reading: Reading, file: Field): string | undefined {
  const path = placePath(reading, file);
  return path === undefined ? undefined : reading.texts.get(path);
}

/** Reads the code of a file that the command line has written and now runs. */
export function runWritten(reading: Reading, file: Field): void {
  const text = findWritten(reading, file);
  if (text !== undefined) goDeeper(reading, () => reading.readCode(text, NO_INPUT));
}
