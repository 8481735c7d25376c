import { findCommand, findInterpreter, GLOBAL_OPTIONS, RUNNERS, SHELLS, WRAPPERS } from './commands.ts';
import { noteVariables } from './code-settings.ts';
import { addWrites, noteLink } from './list-writes.ts';
import { printText } from './print-text.ts';
import { addProgram, goDeeper, type Reading, type Run, type Streams } from './reading.ts';
import { isDecoded } from './read-words.ts';
import { runInput, runInterpreter, runShell } from './run-code.ts';
import { runSpecial } from './run-special.ts';
import { baseName, createProgram, listFlags, NO_INPUT, type Field, type ShellProgram } from './shell-program.ts';
import { noteDownload, noteText, runFetched, runWritten } from './written-files.ts';

/** Placeholders of `xargs` and `parallel`. */
const PLACEHOLDERS = new Set(['{}', '%', '@@']);
/** Matches a known name in an unknown folder, for example `$VENV/bin/pip`. */
const IN_FOLDER = /^\$\{?\w+\}?(?:\/[\w.+-]+)+$/;

/**
 * Adds the program that these words run, and any programs that it runs in turn. Returns the output of the program, if
 * known.
 */
export function runWords(reading: Reading, words: readonly Field[], streams: Streams): string | undefined {
  const [head, ...fields] = nameWords(words);
  if (head === undefined) return undefined;
  const program = describeProgram(head, fields);
  const isNamed = program.program !== '';
  addProgram(reading, program);
  addWrites(reading, program, fields, streams);
  noteLink(reading, program, fields);
  noteDownload(reading, program, fields, streams);
  runFetched(reading, program, head);
  if (head.text.includes('/')) runWritten(reading, head);
  if (!isNamed) return undefined;
  goDeeper(reading, () => runInner({ reading, program, fields, streams }));
  const printed = printText(program.program, fields, streams.input);
  if (printed !== undefined) for (const path of program.writes) noteText(reading, path, printed);
  return printed;
}

/**
 * Returns the words with the actual name of the program. If the first word is an option, the parser has taken the
 * `time` before it for the keyword of the shell, so `time` is added; `git-push` becomes `git push`.
 */
function nameWords(words: readonly Field[]): readonly Field[] {
  const [head, ...fields] = words;
  if (head === undefined || !head.isKnown) return words;
  if (/^-./.test(head.text)) return [{ ...head, text: 'time' }, ...words];
  const [, part = ''] = /(?:^|\/)git-([a-z][a-z-]*)$/.exec(head.text) ?? [];
  return GIT_PARTS.has(part) ? [{ ...head, text: 'git' }, { ...head, text: part }, ...fields] : words;
}

const GIT_PARTS = new Set(['push', 'send-pack', 'config', 'rebase', 'submodule', 'clone', 'init', 'remote', 'bisect']);

function describeProgram(head: Field, fields: readonly Field[]): ShellProgram {
  // The program is a process substitution, so it is the output of other programs.
  const isMade = head.text === '/dev/fd/63';
  const isReadable =
    !isMade && (head.isKnown || IN_FOLDER.test(head.text)) && !head.isGlob && !PLACEHOLDERS.has(head.text);
  const name = isReadable ? baseName(head.text) : '';
  const subcommand = findSubcommand(name, fields);
  const isOpen = Object.hasOwn(GLOBAL_OPTIONS, name) && subcommand?.isKnown === false;
  return {
    ...createProgram(name, fields),
    subcommand: subcommand?.text ?? '',
    code_from: [...new Set(head.from)],
    unreadable: !isReadable || isOpen,
  };
}

function textsOf(fields: readonly Field[]): string[] {
  return fields.map(({ text }) => text);
}

function findSubcommand(name: string, fields: readonly Field[]): Field | undefined {
  const form = Object.hasOwn(GLOBAL_OPTIONS, name) ? GLOBAL_OPTIONS[name] : undefined;
  return fields[findCommand(form ?? {}, textsOf(fields))];
}

function runInner(run: Run): void {
  const name = run.program.program;
  if (Object.hasOwn(WRAPPERS, name)) return runWrapped(run);
  const subcommand = findRunner(run);
  if (subcommand !== undefined) return runRunner(run, subcommand);
  if (SHELLS.has(name)) return runShell(run);
  if (findInterpreter(name) !== undefined) runInterpreter(run);
  runSpecial(run, { runInto, runWords });
}

/** Returns the subcommand that runs another program; for `docker compose` it follows `compose`. */
function findRunner({ program: { program, subcommand }, fields }: Run): string | undefined {
  const known = Object.hasOwn(RUNNERS, program) ? (RUNNERS[program] ?? []) : [];
  if (known.includes(subcommand)) return subcommand;
  const isCompose = subcommand === 'compose' && known.length > 0;
  return isCompose ? fields.map(({ text }) => text).find((text) => known.includes(text)) : undefined;
}

/** Reads the words from a position on as a command; the wrapping program keeps only the words before this position. */
function runInto(run: Run, at: number, more: readonly Field[] = []): void {
  const { reading, program, fields, streams } = run;
  const own = fields.slice(0, at);
  const inner = [...fields.slice(at), ...more];
  reading.left.words += fields.length - own.length;
  program.args = textsOf(own);
  program.flags = listFlags(own);
  program.unknown_args = own.some(({ mayBeOption }) => mayBeOption);
  if (inner.length > 0) runWords(reading, inner, { input: streams.input, writes: [], writesUnknown: false });
}

function runWrapped(run: Run): void {
  const { program, fields } = run;
  const at = findCommand(WRAPPERS[program.program] ?? {}, textsOf(fields));
  if (program.program === 'ssh') runProxy(run, at);
  if (startsShell(run, at)) return runInput(run);
  const special = Object.hasOwn(WRAPPED, program.program) ? WRAPPED[program.program] : undefined;
  if (special === undefined) runInto(run, at);
  else special(run, at);
}

/** Reads the commands that ssh runs on the local machine, as its options state them. */
function runProxy({ reading, fields }: Run, at: number): void {
  for (const { text } of fields.slice(0, at)) {
    const [, code] = /^(?:-o)?(?:Proxy|Local|KnownHosts)Command[= ](.+)$/is.exec(text) ?? [];
    if (code !== undefined) reading.readCode(code, NO_INPUT);
  }
}

/**
 * Matches options with which `sudo` and `doas` start a shell if there is no command; those in `STARTS_SHELL` need no
 * option for this.
 */
const LOGIN = /^-[a-zA-Z]*[si]|^--(?:shell|login)$/;
const STARTS_SHELL = new Set(['ssh', 'chroot', 'unshare', 'nsenter', 'fakeroot', 'screen']);

function startsShell({ program, fields }: Run, at: number): boolean {
  if (at < fields.length) return false;
  const isAsked =
    (program.program === 'sudo' || program.program === 'doas') && fields.some(({ text }) => LOGIN.test(text));
  return STARTS_SHELL.has(program.program) || isAsked;
}

/** Wrappers that do not simply run the words after their options; `at` is the start of those words. */
const WRAPPED: Readonly<Record<string, (run: Run, at: number) => void>> = {
  command(run, at) {
    if (!run.program.args.slice(0, at).some((text) => /^-[vV]/.test(text))) runInto(run, at);
  },
  env(run, at) {
    noteVariables(run.reading, run.fields.slice(0, at));
    const texts = textsOf(run.fields);
    const place = texts.slice(0, at).findIndex((text) => /^(?:-[a-zA-Z]*S|--split-string)/.test(text));
    if (place === -1) return runInto(run, at);
    // The value of `-S` is split at blanks, but the words after this value are not.
    const glued = texts[place]?.replace(/^(?:-[a-zA-Z]*S|--split-string=?)/, '') ?? '';
    const code = glued === '' ? (texts[place + 1] ?? '') : glued;
    const others = texts.slice(glued === '' ? place + 2 : place + 1);
    run.reading.readCode([code, ...others.map(quote)].join(' '), run.streams.input);
  },
  ssh: runJoined,
  watch: runJoined,
  parallel: runParallel,
  cmd: runOfWindows,
  entr: (run, at) =>
    run.fields.slice(0, at).some(({ text }) => /^-[a-z]*s/.test(text)) ? runJoined(run, at) : runInto(run, at),
  just: (run, at) => (run.program.args.includes('--command') ? runInto(run, at) : undefined),
  gdb: runBehind('--args'),
  lldb: runBehind('--'),
  perf: (run) => runInto(run, skipPlain(run.fields, 1)),
  setarch: (run) => runInto(run, skipPlain(run.fields, /^-|^$/.test(run.fields[0]?.text ?? '') ? 0 : 1)),
  // Most options of bwrap take paths, so the command is the first word that is neither option nor path, or `/bin/sh`.
  bwrap: (run) =>
    runInto(
      run,
      firstOf(run.fields, ({ text }) => !/^[-/.~$\d]/.test(text) || text === '/bin/sh'),
    ),
  flock: (run, at) => runCodeOr(run, at, ['-c', '--command']),
  npx: (run, at) => runCodeOr(run, at, ['-c', '--call']),
  xargs: runArguments,
};

/** Returns a function that reads the words after a separator as a command; without the separator, it reads nothing. */
function runBehind(mark: string): (run: Run) => void {
  return (run) => {
    const at = run.fields.findIndex(({ text }) => text === mark);
    if (at !== -1) runInto(run, at + 1);
    run.program.unreadable ||= run.fields
      .slice(0, at === -1 ? undefined : at)
      .some(({ text }) => /^\s*(?:shell\b|!)/.test(text));
  };
}

function firstOf(fields: readonly Field[], isIt: (field: Field) => boolean): number {
  const at = fields.findIndex(isIt);
  return at === -1 ? fields.length : at;
}

function skipPlain(fields: readonly Field[], from: number): number {
  return from + firstOf(fields.slice(from), ({ text }) => !text.startsWith('-') || text === '--');
}

/** Reads the words after `cmd /c` or `cmd /k` as one command. */
function runOfWindows(run: Run): void {
  const at = run.fields.findIndex(({ text }) => /^\/[ck]$/i.test(text));
  if (at !== -1) runJoined(run, at + 1);
}

/**
 * Reads the command of `parallel`. The command ends at `:::`, and a shell runs it for each argument; without a command,
 * the arguments themselves are the commands.
 */
function runParallel(run: Run, at: number): void {
  const texts = textsOf(run.fields);
  const end = texts.findIndex((text, index) => index >= at && /^:{3,4}\+?$/.test(text));
  const command = texts.slice(at, end === -1 ? undefined : end);
  const given = end === -1 ? [] : texts.slice(end + 1);
  runInto(run, run.fields.length);
  if (command.length === 0 && given.length === 0) return runInput(run);
  const before = run.reading.programs.length;
  run.reading.readCode(command.length === 0 ? given.join('\n') : command.join(' '), NO_INPUT);
  const { input } = run.streams;
  const isOpen = end === -1 && input.kind === 'programs' && isDecoded(input.names);
  for (const inner of run.reading.programs.slice(before)) inner.unknown_args ||= isOpen;
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Joins the words to one string, and reads it as shell code. */
function runJoined(run: Run, at: number): void {
  const texts = textsOf(run.fields).slice(at);
  const code = (texts[0] === '--' ? texts.slice(1) : texts).join(' ');
  runInto(run, Math.min(at, run.fields.length));
  run.reading.readCode(code, run.streams.input);
}

function runCodeOr(run: Run, at: number, options: readonly string[]): void {
  const texts = textsOf(run.fields);
  const code = texts.findIndex((text) => options.includes(text));
  if (code === -1) runInto(run, at);
  else run.reading.readCode(texts[code + 1] ?? '', run.streams.input);
}

/** Reads the command of `xargs`; the words that `xargs` reads are further arguments, if they are known. */
function runArguments(run: Run, at: number): void {
  const { input } = run.streams;
  const isKnown = input.kind === 'text';
  const words = isKnown ? input.text.split(/\s+/).filter((text) => text !== '') : [];
  const mayBeOption = input.kind === 'programs' && isDecoded(input.names);
  const more = words.map((text) => ({ text, isKnown, isGlob: false, from: [], mayBeOption: false }));
  const before = run.reading.programs.length;
  runInto({ ...run, streams: { ...run.streams, input: NO_INPUT } }, at, more);
  const inner = run.reading.programs[before];
  if (inner === undefined) return;
  inner.unknown_args ||= mayBeOption;
  // A shell without further arguments takes its script from the words of the input.
  const isShell = SHELLS.has(inner.program) && !inner.args.some((text) => !text.startsWith('-'));
  if (isShell) inner.unreadable = true;
}

const FLAGS_OF_CONTAINERS =
  /^(?:-[itdqT]+|--(?:rm|init|privileged|interactive|tty|detach|read-only|no-deps|no-tty|quiet|stdin|service-ports|build))$/;
const CONTAINERS = new Set(['docker', 'podman', 'nerdctl', 'docker-compose', 'crictl', 'lxc']);
/** Programs that expect a name or a folder before the command. */
const WITH_NAME = new Set([...CONTAINERS, 'direnv', 'aws-vault']);

/**
 * Reads the command of a runner. For the programs in `WITH_NAME`, an image, a name or a folder precedes the command;
 * `kubectl`, `nix`, `npm` and `scl` have rules of their own; for the others, only options precede it.
 */
function runRunner(run: Run, subcommand: string): void {
  const { program, fields } = run;
  const texts = textsOf(fields);
  const end = texts.indexOf('--');
  if (program.program === 'kubectl') return end === -1 ? undefined : runInto(run, end + 1);
  const at = skipOptions(program.program, texts, texts.indexOf(subcommand) + 1);
  const code = texts.findIndex((text) => /^(?:-c|--command|--call)$/.test(text));
  if (code !== -1 && (program.program === 'nix' || subcommand === 'x' || program.program === 'npm'))
    return program.program === 'nix'
      ? runInto(run, code + 1)
      : run.reading.readCode(texts[code + 1] ?? '', run.streams.input);
  if (program.program === 'scl') return run.reading.readCode(texts.at(-1) ?? '', run.streams.input);
  const entry = CONTAINERS.has(program.program) ? texts.indexOf('--entrypoint') + 1 : 0;
  if (entry === 0 || entry >= at) return runInto(run, at);
  runWords(run.reading, [...fields.slice(entry, entry + 1), ...fields.slice(at)], NO_STREAMS);
}

/** Returns the index of the first word after the options and, for the programs in `WITH_NAME`, after the name. */
function skipOptions(program: string, texts: readonly string[], from: number): number {
  let at = from;
  for (; texts[at]?.startsWith('-') === true; at += 1) {
    const option = texts[at] ?? '';
    if (option === '--') return at + 1;
    const takesNext = CONTAINERS.has(program)
      ? !option.includes('=') && !FLAGS_OF_CONTAINERS.test(option)
      : program === 'conda' && /^(?:-n|-p|--name|--prefix)$/.test(option);
    if (takesNext) at += 1;
  }
  if (WITH_NAME.has(program)) at += 1;
  return texts[at] === '--' ? at + 1 : at;
}

const NO_STREAMS: Streams = { input: NO_INPUT, writes: [], writesUnknown: false };
