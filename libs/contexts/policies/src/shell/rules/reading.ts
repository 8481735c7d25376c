import type { SyntaxNode } from 'unbash';
import type { Field, Input, ShellProgram } from './shell-program.ts';
import type { Variable } from './read-words.ts';

/** Maximum length of a command line; longer ones are not analyzed. */
export const MAX_SHELL_TEXT = 64 * 1024;
export const MAX_PROGRAMS = 500;
/** Maximum number of words of all programs together. */
export const MAX_WORDS = 2_000;
/**
 * Number of bytes that are counted for each substitution, redirection or assignment, in addition to the length of the
 * command line.
 */
export const BYTES_OF_PART = 64;
/** Maximum nesting of scripts within scripts, and of wrappers around programs. */
const MAX_DEPTH = 16;
/** Maximum number of values of one variable. */
const MAX_VALUES = 16;

/** Thrown if the command line exceeds the limits. */
export class TooMuchError extends Error {}

/** State while a command line is analyzed. */
export interface Reading {
  readonly programs: ShellProgram[];
  readonly variables: Map<string, Variable>;
  /** Programs that downloaded a file, by the clean path of the file. */
  readonly fetched: Map<string, string>;
  /** Targets of the links that the command line creates, by the clean path of the link. */
  readonly links: Map<string, string>;
  /** Functions that the command line defines, by name; recursive calls are not read. */
  readonly functions: Map<string, SyntaxNode>;
  readonly running: Set<string>;
  /** Content that the command line itself writes to files, by clean path. */
  readonly texts: Map<string, string>;
  /** Current folder, which is `.` until a `cd`; undefined if unknown. */
  folder: string | undefined;
  readonly left: { bytes: number; words: number };
  depth: number;
  /** Reads code that the command line contains. */
  readonly readCode: (code: string, input: Input) => void;
}

/** Input of a program, and the targets of its output. */
export interface Streams {
  readonly input: Input;
  readonly writes: readonly string[];
  readonly writesUnknown: boolean;
}

/** An invocation of a program, with everything that the command line shows about it. */
export interface Run {
  readonly reading: Reading;
  readonly program: ShellProgram;
  readonly fields: readonly Field[];
  readonly streams: Streams;
}

/** Functions that analyze the commands that a program runs. */
export interface Runs {
  /** Reads the words from this position on as a command. */
  readonly runInto: (run: Run, at: number) => void;
  readonly runWords: (reading: Reading, words: readonly Field[], streams: Streams) => void;
}

export function createReading(
  length: number,
  readCode: (reading: Reading, code: string, input: Input) => void,
): Reading {
  const reading: Reading = {
    programs: [],
    variables: new Map([
      ['HOME', { texts: ['~'], isKnown: true }],
      ['IFS', { texts: [' '], isKnown: true }],
      ['TMPDIR', { texts: ['/tmp'], isKnown: true }],
    ]),
    fetched: new Map(),
    links: new Map(),
    functions: new Map(),
    running: new Set(),
    texts: new Map(),
    folder: '.',
    left: { bytes: 4 * length + 4_096, words: MAX_WORDS },
    depth: 0,
    readCode: (code, input) => readCode(reading, code, input),
  };
  return reading;
}

/**
 * Adds a program to the result.
 * @throws TooMuchError
 */
export function addProgram({ programs, left }: Reading, program: ShellProgram): void {
  left.words -= program.args.length + 1;
  if (left.words < 0 || programs.length >= MAX_PROGRAMS) throw new TooMuchError();
  programs.push(program);
}

/**
 * Subtracts bytes from the number that may still be read.
 * @throws TooMuchError
 */
export function spendBytes({ left }: Reading, bytes: number): void {
  left.bytes -= bytes;
  if (left.bytes < 0) throw new TooMuchError();
}

/**
 * Runs `work` one level of nesting deeper.
 * @throws TooMuchError
 */
export function goDeeper<T>(reading: Reading, work: () => T): T {
  if (reading.depth >= MAX_DEPTH) throw new TooMuchError();
  reading.depth += 1;
  try {
    return work();
  } finally {
    reading.depth -= 1;
  }
}

/**
 * Adds a value to those that the variable may already have, since it is unknown which branch is executed. Replaces the
 * value of `HOME`, `IFS` and `TMPDIR`.
 */
export function assignVariable(reading: Reading, name: string, value: Variable, isAppended = false): void {
  const known = reading.variables.get(name)?.texts ?? [];
  const added =
    isAppended && known.length > 0 ? known.flatMap((one) => value.texts.map((more) => one + more)) : value.texts;
  const texts = [...new Set([...(BUILT_IN.has(name) ? [] : known), ...added])];
  if (texts.length > MAX_VALUES) throw new TooMuchError();
  spendBytes(
    reading,
    texts.reduce((sum, text) => sum + text.length, 0),
  );
  reading.variables.set(name, { texts, isKnown: value.isKnown });
}

const BUILT_IN = new Set(['HOME', 'IFS', 'TMPDIR']);

export function findVariable(reading: Reading, name: string): Variable | undefined {
  if (name === 'PWD') return reading.folder === undefined ? undefined : { texts: [reading.folder], isKnown: true };
  const found = reading.variables.get(name);
  if (found !== undefined)
    spendBytes(
      reading,
      found.texts.reduce((sum, text) => sum + text.length, 0),
    );
  return found;
}

/** Sets the positional parameters of a script or a function: `$1` through `$9`, `$@` and `$*`. */
export function setPositionals(reading: Reading, fields: readonly Field[]): void {
  const texts = fields.map(({ text }) => text);
  const isKnown = fields.every((field) => field.isKnown);
  for (const name of ['@', '*']) assignVariable(reading, name, { texts: [texts.join(' ')], isKnown });
  texts.slice(0, 9).forEach((text, index) => assignVariable(reading, String(index + 1), { texts: [text], isKnown }));
}

export function unknownProgram(): ShellProgram {
  return {
    ...{
      program: '',
      args: [],
      flags: [],
      subcommand: '',
      writes: [],
      writes_unknown: false,
      pipes_to: [],
      code_from: [],
    },
    ...{ unknown_args: false, unreadable: true },
  };
}
