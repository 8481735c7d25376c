import {
  forEachChild,
  parse,
  type Assignment,
  type Command,
  type For,
  type ParsedScript,
  type Pipeline,
  type Redirected,
  type Select,
  type SyntaxNode,
  type Word,
  type WordPart,
} from 'unbash';
import { cleanPath } from './clean-path.ts';
import { noteVariable } from './code-settings.ts';
import { readStreams } from './read-streams.ts';
import { readFields, type Output, type Scope } from './read-words.ts';
import {
  addProgram,
  assignVariable,
  BYTES_OF_PART,
  createReading,
  findVariable,
  goDeeper,
  setPositionals,
  MAX_SHELL_TEXT,
  MAX_WORDS,
  spendBytes,
  TooMuchError,
  unknownProgram,
  type Reading,
} from './reading.ts';
import { runWords } from './run-program.ts';
import { createProgram, NO_INPUT, type Field, type Input, type ShellProgram } from './shell-program.ts';

/** Maximum number of here-documents, which are the most expensive part of parsing, at 3 microseconds per byte. */
const MAX_HEREDOCS = 200;
const MAX_STAGES = 50;

/**
 * Returns the programs that a POSIX shell or bash command line runs or may run, in the order in which they appear,
 * including those that the programs themselves run (`sudo`, `xargs`, `sh -c`, `find -exec`). Only the string is read:
 * nothing is executed. A part that cannot be resolved becomes an `unreadable` program, for example if its name is
 * unknown, or its code is invalid, too long or nested too deeply. This function never fails; because of its limits, it
 * takes at most about one microsecond per byte.
 */
export function readShell(text: string): readonly ShellProgram[] {
  const reading = createReading(text.length, readCode);
  return attempt(reading, () => {
    if (text.length > MAX_SHELL_TEXT || (text.match(/<</g)?.length ?? 0) > MAX_HEREDOCS) throw new TooMuchError();
    readCode(reading, text, NO_INPUT);
  });
}

/** Reads the words of a program that is run without a shell. */
export function readArguments(words: readonly string[]): readonly ShellProgram[] {
  const reading = createReading(
    words.reduce((sum, { length }) => sum + length, 0),
    readCode,
  );
  return attempt(reading, () => {
    if (words.length > MAX_WORDS || words.join('').length > MAX_SHELL_TEXT) throw new TooMuchError();
    const fields = words.map((text) => ({ text, isKnown: true, isGlob: false, from: [], mayBeOption: false }));
    runWords(reading, fields, { input: NO_INPUT, writes: [], writesUnknown: false });
  });
}

function attempt({ programs }: Reading, work: () => void): readonly ShellProgram[] {
  try {
    work();
  } catch {
    // A limit is exceeded, or the parser failed: the call must not be decided only by the part that was read so far.
    programs.push(unknownProgram());
  }
  return programs;
}

function readCode(reading: Reading, code: string, input: Input): void {
  spendBytes(reading, code.length);
  goDeeper(reading, () => walkScript(reading, parse(code), input));
}

/** Reads the commands of a script; returns the output of the script if it is a single command whose output is known. */
function walkScript(reading: Reading, script: ParsedScript, input: Input): string | undefined {
  if (script.errors !== undefined && script.errors.length > 0) addProgram(reading, unknownProgram());
  let printed: string | undefined;
  for (const statement of script.commands) printed = walk(reading, statement.command, input);
  return script.commands.length === 1 ? printed : undefined;
}

function walk(reading: Reading, node: SyntaxNode, input: Input): string | undefined {
  if (node.type === 'Command') return walkCommand(reading, node, input);
  if (node.type === 'Pipeline') return walkPipeline(reading, node, input);
  walkPart(reading, node, input);
  return undefined;
}

function walkPart(reading: Reading, node: SyntaxNode, input: Input): void {
  switch (node.type) {
    case 'Redirected':
      return walkRedirected(reading, node, input);
    case 'Subshell': {
      const { folder } = reading;
      walkChildren(reading, node, input);
      reading.folder = folder;
      return;
    }
    case 'Function':
      reading.functions.set(node.name.value, node.body);
      return walkChildren(reading, node, input);
    case 'For':
    case 'Select':
      assignLoop(reading, node);
      return void walk(reading, node.body, input);
    case 'Word':
      return void readFields(node, scopeOf(reading));
    case 'Assignment':
      return void assign(reading, node);
    case 'CommandExpansion':
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion':
      return void scopeOf(reading).run(node);
    case 'ArithmeticExpansion':
    case 'ParameterExpansion':
    case 'BraceExpansion':
      return visitPart(reading, node);
    default:
      walkChildren(reading, node, input);
  }
}

/** Reads a command with redirections; the files that a group writes are attributed to its last program. */
function walkRedirected(reading: Reading, node: Redirected, input: Input): void {
  const streams = readStreams(reading, scopeOf(reading), node.redirects, input);
  const before = reading.programs.length;
  walk(reading, node.command, streams.input);
  if (streams.writes.length === 0 && !streams.writesUnknown) return;
  const last = reading.programs.length > before ? reading.programs.at(-1) : undefined;
  const program = last ?? createProgram('');
  program.writes.push(...streams.writes);
  program.writes_unknown ||= streams.writesUnknown;
  if (last === undefined) addProgram(reading, program);
}

/**
 * Reads a part that contains other parts. The parser parses such a part on first access, one level of nesting at a
 * time.
 */
function visitPart(reading: Reading, part: WordPart): void {
  spendBytes(reading, part.end - part.pos);
  goDeeper(reading, () => walkChildren(reading, part, NO_INPUT));
}

function walkChildren(reading: Reading, node: SyntaxNode, input: Input): void {
  forEachChild(node, (child) => void walk(reading, child, input));
}

function walkPipeline(reading: Reading, { commands, prefixes }: Pipeline, input: Input): string | undefined {
  const { programs } = reading;
  if (commands.length > MAX_STAGES) throw new TooMuchError();
  const begin = programs.length;
  const ends: number[] = [];
  let current = input;
  let printed: string | undefined;
  for (const command of commands) {
    printed = walk(reading, command, current);
    ends.push(programs.length);
    const names = [...new Set(programs.slice(begin).map(({ program }) => program))];
    current = printed === undefined ? { kind: 'programs', names } : { kind: 'text', text: printed };
  }
  let from = begin;
  for (const end of ends.slice(0, -1)) {
    const names = [...new Set(programs.slice(end).map(({ program }) => program))];
    spendBytes(reading, 8 * names.length);
    for (const program of programs.slice(from, end)) program.pipes_to.push(...names);
    from = end;
  }
  return prefixes.length === 0 ? printed : undefined;
}

function walkCommand(reading: Reading, command: Command, input: Input): string | undefined {
  for (const part of command.prefix) if (part.type === 'Assignment') assign(reading, part);
  const streams = readStreams(reading, scopeOf(reading), command.redirects, input);
  const fields: Field[] = [];
  for (const word of [...(command.name === undefined ? [] : [command.name]), ...command.args]) {
    if (word.type === 'Word') fields.push(...readFields(word, scopeOf(reading)));
    else {
      const text = assign(reading, word);
      fields.push({ text, isKnown: true, isGlob: false, from: [], mayBeOption: false });
    }
    if (fields.length > MAX_WORDS) throw new TooMuchError();
  }
  callFunction(reading, fields, streams.input);
  if (fields.length > 0) return runWords(reading, fields, streams);
  if (streams.writes.length > 0 || streams.writesUnknown)
    addProgram(reading, { ...createProgram(''), writes: [...streams.writes], writes_unknown: streams.writesUnknown });
  return undefined;
}

/** Reads the body of a function again, with the arguments of this invocation. */
function callFunction(reading: Reading, [head, ...args]: readonly Field[], input: Input): void {
  const body = reading.functions.get(head?.text ?? '');
  const name = head?.text ?? '';
  if (body === undefined || args.length === 0 || reading.running.has(name)) return;
  reading.running.add(name);
  setPositionals(reading, args);
  goDeeper(reading, () => void walk(reading, body, input));
  reading.running.delete(name);
}

/** Assigns a variable, and returns the assignment (`NAME=value`) as a program receives it. */
function assign(reading: Reading, { name, value, append, index }: Assignment): string {
  if (index !== undefined) walk(reading, index, NO_INPUT);
  spendBytes(reading, BYTES_OF_PART);
  const fields = value.type === 'ArrayValue' ? readList(reading, value.elements) : readFields(value, scopeOf(reading));
  const text = fields.map((field) => field.text).join(' ');
  const isKnown = fields.every((field) => field.isKnown);
  noteVariable(reading, name, text, fields);
  // An unknown value without a dash is not assigned: words that use the variable contain the name of the variable
  // instead.
  if (isKnown || text.includes('-')) assignVariable(reading, name, { texts: [text], isKnown }, append);
  return `${name}=${text}`;
}

function assignLoop(reading: Reading, { name, wordlist = [] }: For | Select): void {
  const fields = readList(reading, wordlist);
  const isKnown = fields.every((field) => field.isKnown && !field.isGlob);
  const options = fields.filter(({ text }) => text.startsWith('-') || isKnown);
  if (options.length > 0)
    assignVariable(reading, name.value, { texts: [options.map(({ text }) => text).join(' ')], isKnown });
}

/**
 * Returns the words of a list.
 * @throws TooMuchError
 */
function readList(reading: Reading, words: readonly Word[]): Field[] {
  if (words.length > MAX_WORDS) throw new TooMuchError();
  const fields = words.flatMap((word) => readFields(word, scopeOf(reading)));
  if (fields.length > MAX_WORDS) throw new TooMuchError();
  return fields;
}

function scopeOf(reading: Reading): Scope {
  return {
    find: (name) => findVariable(reading, name),
    assign: (name, value) => assignVariable(reading, name, value),
    spend: (bytes) => spendBytes(reading, bytes),
    visit: (part) => visitPart(reading, part),
    run: (part) => {
      spendBytes(reading, part.text.length + BYTES_OF_PART);
      return goDeeper(reading, () => runSubstitution(reading, part));
    },
  };
}

function runSubstitution(
  reading: Reading,
  part: { readonly text: string; readonly script: ParsedScript | undefined; readonly operator?: string },
): Output | undefined {
  const { script } = part;
  if (script === undefined) return undefined;
  const before = reading.programs.length;
  // The input of `>( )` is not known.
  const printed = walkScript(reading, script, part.operator === '>' ? { kind: 'programs', names: [''] } : NO_INPUT);
  const programs = reading.programs.slice(before).map(({ program }) => program);
  return { text: printed ?? printPlace(reading, part.text, programs), programs };
}

/**
 * Returns the path that a substitution with a common command prints (`pwd`, `mktemp`, `git … --show-toplevel`);
 * undefined for others.
 */
function printPlace({ folder }: Reading, text: string, programs: readonly string[]): string | undefined {
  if (programs.length !== 1) return undefined;
  if (programs[0] === 'pwd') return folder;
  if (programs[0] === 'mktemp' && !/-p|--tmpdir=|[^-]\//.test(text)) return cleanPath('/tmp/mktemp');
  return programs[0] === 'git' && text.includes('--show-toplevel') ? '.' : undefined;
}
