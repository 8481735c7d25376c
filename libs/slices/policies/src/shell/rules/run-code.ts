import { findCommand, findInterpreter, SHELL_OPTIONS } from './commands.ts';
import { setPositionals, type Run } from './reading.ts';
import { NO_INPUT, type Field } from './shell-program.ts';
import { findWritten, runFetched, runWritten } from './written-files.ts';

export function runShell(run: Run): void {
  const { reading, program, fields, streams } = run;
  const texts = fields.map(({ text }) => (/^\+[A-Za-z]/.test(text) ? `-${text.slice(1)}` : text));
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
  runInput(run);
}

/** What a program reads is the code that it runs. */
export function runInput({ reading, program, streams: { input } }: Run): void {
  if (input.kind === 'text') return reading.readCode(input.text, NO_INPUT);
  if (input.kind === 'none') return;
  program.code_from.push(...input.names);
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
export function runScript({ reading, program }: Run, file: Field, positionals: readonly Field[] = []): void {
  setPositionals(reading, positionals);
  program.code_from.push(...file.from);
  program.unreadable ||= file.from.length > 0;
  runFetched(reading, program, file);
  runWritten(reading, file);
}

export function runInterpreter({ reading, program, fields, streams }: Run): void {
  const letters = findInterpreter(program.program) ?? '';
  const code = fields.findIndex(
    ({ text }) =>
      [...letters].some((letter) => /^-[A-Za-z]/.test(text) && text.includes(letter)) || /^--(?:eval|print)/.test(text),
  );
  if (code !== -1) {
    for (const field of fields.slice(code, code + 2)) program.code_from.push(...codeSources(field));
    program.unreadable ||= fields.slice(code).some(({ text }) => startsPrograms(program.program, text));
    return;
  }
  const file = fields.find(({ text }) => !text.startsWith('-') || text === '-');
  if (file !== undefined && !isStandardInput(file.text)) {
    program.code_from.push(...file.from);
    program.unreadable ||= startsPrograms(program.program, findWritten(reading, file) ?? '');
    return runFetched(reading, program, file);
  }
  if (streams.input.kind === 'programs') program.code_from.push(...streams.input.names);
  program.unreadable ||= streams.input.kind === 'text' && startsPrograms(program.program, streams.input.text);
}

const STARTS =
  /\bos\s*\.\s*(?:system|popen|exec\w*|spawn\w*|posix_spawn\w*)|\bsubprocess\b|\bchild_process\b|\bpty\s*\.\s*spawn|\b(?:rmtree|rmSync|rmdirSync|rm_rf|remove_tree|popen|Open3|shell_exec|passthru|proc_open)\b|(?<![.\w])system\s*(?:\(|["'])|(?<![.\w])exec\s*(?:\(?\s*["'`]|q[qw]?\b)|%x[^\w\s]/;
/** In these languages backticks run a command. */
const WITH_BACKTICKS = /^(?:perl|ruby|php)/;

/** Code of another language that starts programs, or deletes folders: which ones is not known here. */
export function startsPrograms(program: string, code: string): boolean {
  return STARTS.test(code) || (WITH_BACKTICKS.test(program) && /`[^`]+`/.test(code));
}
