import { findCommand, findInterpreter, GLOBAL_OPTIONS, RUNNERS, SHELLS, WRAPPERS } from './commands.ts';
import { addWrites } from './list-writes.ts';
import { printText } from './print-text.ts';
import { addProgram, goDeeper, type Reading, type Run, type Streams } from './reading.ts';
import { isDecoded } from './read-words.ts';
import { runInput, runInterpreter, runShell } from './run-code.ts';
import { runSpecial } from './run-special.ts';
import { baseName, createProgram, listFlags, NO_INPUT, type Field, type ShellProgram } from './shell-program.ts';
import { noteDownload, noteText, runFetched, runWritten } from './written-files.ts';

/** What `xargs` and `parallel` put a word for. */
const PLACEHOLDERS = new Set(['{}', '%', '@@']);
/** A folder that is not known before a name that is: `$VENV/bin/pip`. */
const IN_FOLDER = /^\$\{?\w+\}?(?:\/[\w.+-]+)+$/;

/** Adds the program of these words, and those that it runs itself. Answers what it prints, where that is known. */
export function runWords(reading: Reading, words: readonly Field[], streams: Streams): string | undefined {
  const [head, ...fields] = words;
  if (head === undefined) return undefined;
  const program = describeProgram(head, fields);
  const isNamed = program.program !== '';
  addProgram(reading, program);
  addWrites(reading, program, fields, streams);
  noteDownload(reading, program, fields, streams);
  runFetched(reading, program, head);
  if (head.text.includes('/')) runWritten(reading, head);
  if (!isNamed) return undefined;
  goDeeper(reading, () => runInner({ reading, program, fields, streams }));
  const printed = printText(program.program, fields, streams.input);
  if (printed !== undefined) for (const path of program.writes) noteText(reading, path, printed);
  return printed;
}

function describeProgram(head: Field, fields: readonly Field[]): ShellProgram {
  const isReadable = (head.isKnown || IN_FOLDER.test(head.text)) && !head.isGlob && !PLACEHOLDERS.has(head.text);
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
  if (findInterpreter(name) !== undefined) return runInterpreter(run);
  runSpecial(run, { runInto, runWords });
}

/** The subcommand that runs another program; that of `docker compose` stands behind it. */
function findRunner({ program: { program, subcommand }, fields }: Run): string | undefined {
  const known = Object.hasOwn(RUNNERS, program) ? (RUNNERS[program] ?? []) : [];
  if (known.includes(subcommand)) return subcommand;
  const isCompose = subcommand === 'compose' && known.length > 0;
  return isCompose ? fields.map(({ text }) => text).find((text) => known.includes(text)) : undefined;
}

/** Runs the words from a place on; the program keeps those before it. */
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
  if (startsShell(run, at)) return runInput(run);
  const special = Object.hasOwn(WRAPPED, program.program) ? WRAPPED[program.program] : undefined;
  if (special === undefined) runInto(run, at);
  else special(run, at);
}

/** Without a command they start a shell, which reads what they read. */
const STARTS_SHELL = new Set(['ssh', 'chroot', 'unshare', 'nsenter', 'fakeroot', 'screen']);

function startsShell({ program, fields }: Run, at: number): boolean {
  if (at < fields.length) return false;
  return (
    STARTS_SHELL.has(program.program) || fields.some(({ text }) => /^-[a-zA-Z]*[si]|^--(?:shell|login)$/.test(text))
  );
}

/** Wrappers that do not simply run the words behind their options; those begin at a place. */
const WRAPPED: Readonly<Record<string, (run: Run, at: number) => void>> = {
  command(run, at) {
    if (!run.program.args.slice(0, at).some((text) => /^-[vV]/.test(text))) runInto(run, at);
  },
  env(run, at) {
    const texts = textsOf(run.fields);
    const place = texts.slice(0, at).findIndex((text) => /^(?:-[a-zA-Z]*S|--split-string)/.test(text));
    if (place === -1) return runInto(run, at);
    // Its text is cut at blanks, the words behind it are not.
    const glued = texts[place]?.replace(/^(?:-[a-zA-Z]*S|--split-string=?)/, '') ?? '';
    const code = glued === '' ? (texts[place + 1] ?? '') : glued;
    const others = texts.slice(glued === '' ? place + 2 : place + 1);
    run.reading.readCode([code, ...others.map(quote)].join(' '), run.streams.input);
  },
  ssh: runJoined,
  watch: runJoined,
  flock: (run, at) => runCodeOr(run, at, ['-c', '--command']),
  npx: (run, at) => runCodeOr(run, at, ['-c', '--call']),
  xargs: runArguments,
};

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The words are one text, that a shell reads. */
function runJoined(run: Run, at: number): void {
  const code = textsOf(run.fields).slice(at).join(' ');
  runInto(run, Math.min(at, run.fields.length));
  run.reading.readCode(code, run.streams.input);
}

function runCodeOr(run: Run, at: number, options: readonly string[]): void {
  const texts = textsOf(run.fields);
  const code = texts.findIndex((text) => options.includes(text));
  if (code === -1) runInto(run, at);
  else run.reading.readCode(texts[code + 1] ?? '', run.streams.input);
}

/** The words that `xargs` reads are arguments, where they are known. */
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
  // The words that are read are the script.
  const isShell = SHELLS.has(inner.program) && !inner.args.some((text) => !text.startsWith('-'));
  if (isShell) inner.unreadable = true;
}

const FLAGS_OF_CONTAINERS =
  /^(?:-[itdqT]+|--(?:rm|init|privileged|interactive|tty|detach|read-only|no-deps|no-tty|quiet|stdin|service-ports|build))$/;
const CONTAINERS = new Set(['docker', 'podman', 'nerdctl', 'docker-compose', 'crictl', 'lxc']);
/** A name or a folder stands before the command. */
const WITH_NAME = new Set([...CONTAINERS, 'direnv', 'aws-vault']);

/** Of a container the image or the name stands before the command; of others options. */
function runRunner(run: Run, subcommand: string): void {
  const { program, fields } = run;
  const texts = textsOf(fields);
  const end = texts.indexOf('--');
  if (program.program === 'kubectl') return end === -1 ? undefined : runInto(run, end + 1);
  const at = skipOptions(program.program, texts, texts.indexOf(subcommand) + 1);
  const entry = CONTAINERS.has(program.program) ? texts.indexOf('--entrypoint') + 1 : 0;
  if (entry === 0 || entry >= at) return runInto(run, at);
  runWords(run.reading, [...fields.slice(entry, entry + 1), ...fields.slice(at)], NO_STREAMS);
}

/** Where the command begins. */
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
