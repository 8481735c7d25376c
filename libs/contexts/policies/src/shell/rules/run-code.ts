import { findCommand, findInterpreter, SHELL_OPTIONS } from './commands.ts';
import { setPositionals, type Run } from './reading.ts';
import { NO_INPUT, type Field } from './shell-program.ts';
import { startsPrograms } from './foreign-code.ts';
import { findWritten, runFetched, runWritten } from './written-files.ts';

export function runShell(run: Run): void {
  const { reading, program, fields, streams } = run;
  const texts = fields.map(({ text }) => (/^\+[A-Za-z]/.test(text) ? `-${text.slice(1)}` : text));
  const at = findCommand(SHELL_OPTIONS, texts);
  const options = texts.slice(0, at);
  // An option that is the output of another program may make the shell run any code.
  program.unreadable ||= fields.slice(0, at).some(({ from }) => from.length > 0);
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

/** Reads the input of a program that executes its input as code. */
export function runInput({ reading, program, streams: { input } }: Run): void {
  if (input.kind === 'text') return reading.readCode(input.text, NO_INPUT);
  if (input.kind === 'none') return;
  program.code_from.push(...input.names);
  program.unreadable = true;
}

/** Returns the programs whose output is the code in a word, or the beginning of that code. */
function codeSources({ from, text }: Field): readonly string[] {
  return /^\s*["']?[$`<]/.test(text) ? from : [];
}

function isStandardInput(text: string): boolean {
  return text === '-' || text === '/dev/stdin' || text === '/dev/fd/0' || text === '/proc/self/fd/0';
}

/** Records that a program runs a file as code. */
export function runScript({ reading, program }: Run, file: Field, positionals: readonly Field[] = []): void {
  setPositionals(reading, positionals);
  program.code_from.push(...file.from);
  program.unreadable ||= file.from.length > 0;
  runFetched(reading, program, file);
  runWritten(reading, file);
}

export function runInterpreter(run: Run): void {
  const { reading, program, fields, streams } = run;
  const letters = findInterpreter(program.program) ?? '';
  if (runsOfAddress(run)) return;
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

/**
 * Reads the URL that Deno and Bun accept in place of a file, and the code of `deno eval`; returns whether the command
 * is `deno eval`.
 */
function runsOfAddress({ program, fields }: Run): boolean {
  if (program.program !== 'deno' && program.program !== 'bun') return false;
  if (fields.some(({ text }) => /^https?:\/\//.test(text))) program.code_from.push('https');
  const isCode = program.program === 'deno' && fields[0]?.text === 'eval';
  program.unreadable ||= isCode && fields.some(({ text }) => startsPrograms('deno', text));
  return isCode;
}
