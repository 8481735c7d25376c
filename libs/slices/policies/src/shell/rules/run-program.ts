import {
  DOWNLOADERS,
  findCommand,
  findInterpreter,
  GLOBAL_OPTIONS,
  RUNNERS,
  SHELL_OPTIONS,
  SHELLS,
  WRAPPERS,
} from './commands.ts';
import { addWrites, placePath } from './list-writes.ts';
import { printText } from './print-text.ts';
import { addProgram, goDeeper, setPositionals, spendBytes, type Reading, type Run, type Streams } from './reading.ts';
import { isDecoded } from './read-words.ts';
import { runSpecial } from './run-special.ts';
import { baseName, createProgram, listFlags, NO_INPUT, type Field, type ShellProgram } from './shell-program.ts';

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
  noteDownload(reading, program, streams);
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

/** Behind what was written there before: it may be appended. */
function noteText(reading: Reading, path: string, printed: string): void {
  const text = (reading.texts.get(path) ?? '') + printed;
  spendBytes(reading, text.length);
  reading.texts.set(path, text);
}

function findSubcommand(name: string, fields: readonly Field[]): Field | undefined {
  const form = Object.hasOwn(GLOBAL_OPTIONS, name) ? GLOBAL_OPTIONS[name] : undefined;
  return fields[findCommand(form ?? {}, textsOf(fields))];
}

function textsOf(fields: readonly Field[]): string[] {
  return fields.map(({ text }) => text);
}

function noteDownload({ fetched }: Reading, { program, writes }: ShellProgram, { input }: Streams): void {
  const upstream = input.kind === 'programs' ? input.names : [];
  const from = [program, ...upstream].find((name) => DOWNLOADERS.has(name));
  if (from !== undefined) for (const path of writes) fetched.set(path, from);
}

/** A file that was downloaded before is run. */
function runFetched(reading: Reading, program: ShellProgram, file: Field | undefined): void {
  const path = file === undefined ? undefined : placePath(reading, file);
  const from = path === undefined ? undefined : reading.fetched.get(path);
  if (from !== undefined) program.code_from.push(from);
}

function runInner(run: Run): void {
  const name = run.program.program;
  if (Object.hasOwn(WRAPPERS, name)) return runWrapped(run);
  if (Object.hasOwn(RUNNERS, name) && RUNNERS[name]?.includes(run.program.subcommand) === true) return runRunner(run);
  if (SHELLS.has(name)) return runShell(run);
  if (findInterpreter(name) !== undefined) return runInterpreter(run);
  runSpecial(run, { runInto, runScript, runWords });
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
  const special = Object.hasOwn(WRAPPED, program.program) ? WRAPPED[program.program] : undefined;
  if (special === undefined) runInto(run, at);
  else special(run, at);
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
    const glued = texts[place]?.replace(/^(?:-[a-zA-Z]*S|--split-string=?)/, '') ?? '';
    run.reading.readCode([glued, ...texts.slice(place + 1)].join(' '), run.streams.input);
  },
  ssh: runJoined,
  watch: runJoined,
  flock: (run, at) => runCodeOr(run, at, ['-c', '--command']),
  npx: (run, at) => runCodeOr(run, at, ['-c', '--call']),
  xargs: runArguments,
};

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
  /^(?:-[itdq]+|--(?:rm|init|privileged|interactive|tty|detach|read-only|no-deps|quiet|stdin))$/;

/** Of a container the image or the name stands before the command; of others nothing. */
function runRunner(run: Run): void {
  const { program, fields } = run;
  const texts = textsOf(fields);
  const isContainer = ['docker', 'podman', 'nerdctl'].includes(program.program);
  const begin = texts.indexOf(program.subcommand) + 1;
  if (program.program === 'kubectl') {
    const end = texts.indexOf('--');
    return end === -1 ? undefined : runInto(run, end + 1);
  }
  let at = begin;
  for (; at < texts.length && texts[at]?.startsWith('-') === true; at += 1) {
    const option = texts[at] ?? '';
    if (option === '--') {
      at += 1;
      break;
    }
    if (isContainer && !option.includes('=') && !FLAGS_OF_CONTAINERS.test(option)) at += 1;
  }
  runInto(run, isContainer ? at + 1 : at);
}

function runShell(run: Run): void {
  const { reading, program, fields, streams } = run;
  const texts = textsOf(fields).map((text) => (/^\+[A-Za-z]/.test(text) ? `-${text.slice(1)}` : text));
  const at = findCommand(SHELL_OPTIONS, texts);
  const options = texts.slice(0, at);
  const [first, ...others] = fields.slice(at);
  if (options.some((text) => /^-[a-zA-Z]*c[a-zA-Z]*$/.test(text) || text === '--command')) {
    if (first === undefined) return;
    setPositionals(reading, others.slice(1));
    program.code_from.push(...codeSources(first));
    return reading.readCode(first.text, streams.input);
  }
  const isInput =
    first === undefined || options.some((text) => /^-[a-zA-Z]*s/.test(text)) || isStandardInput(first.text);
  if (!isInput) return runScript(run, first, others);
  setPositionals(reading, others);
  if (streams.input.kind === 'text') return reading.readCode(streams.input.text, NO_INPUT);
  if (streams.input.kind === 'none') return;
  program.code_from.push(...streams.input.names);
  program.unreadable = true;
}

/** Programs whose output is the code, or the beginning of it. */
function codeSources({ from, text }: Field): readonly string[] {
  return /^\s*["']?[$`<]/.test(text) ? from : [];
}

function isStandardInput(text: string): boolean {
  return text === '-' || text === '/dev/stdin' || text === '/dev/fd/0' || text === '/proc/self/fd/0';
}

/** A file is run as code. */
function runScript({ reading, program }: Run, file: Field, positionals: readonly Field[] = []): void {
  setPositionals(reading, positionals);
  program.code_from.push(...file.from);
  program.unreadable ||= file.from.length > 0;
  runFetched(reading, program, file);
  runWritten(reading, file);
}

/** A file that the text wrote before is run. */
function runWritten(reading: Reading, file: Field): void {
  const path = placePath(reading, file);
  const text = path === undefined ? undefined : reading.texts.get(path);
  if (text !== undefined) goDeeper(reading, () => reading.readCode(text, NO_INPUT));
}

function runInterpreter({ reading, program, fields, streams }: Run): void {
  const letters = findInterpreter(program.program) ?? '';
  const code = fields.findIndex(
    ({ text }) =>
      [...letters].some((letter) => /^-[A-Za-z]/.test(text) && text.includes(letter)) || /^--(?:eval|print)/.test(text),
  );
  if (code !== -1) {
    for (const field of fields.slice(code, code + 2)) program.code_from.push(...codeSources(field));
    return;
  }
  const file = fields.find(({ text }) => !text.startsWith('-') || text === '-');
  if (file !== undefined && !isStandardInput(file.text)) {
    program.code_from.push(...file.from);
    return runFetched(reading, program, file);
  }
  if (streams.input.kind === 'programs') program.code_from.push(...streams.input.names);
}
