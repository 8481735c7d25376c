import type { ParameterDefaultOperation, ParameterExpansionPart, ParsedScript, Word, WordPart } from 'unbash';
import { expandBraces } from './expand-braces.ts';
import type { Field } from './shell-program.ts';

/** Values of a variable in the command line; several if it is assigned more than once. */
export interface Variable {
  readonly texts: readonly string[];
  readonly isKnown: boolean;
}

/** Output of a substitution, as far as the command line shows it. */
export interface Output {
  readonly text: string | undefined;
  readonly programs: readonly string[];
}

/** Functions that provide the content of words beyond their literal text. */
export interface Scope {
  readonly find: (name: string) => Variable | undefined;
  readonly assign: (name: string, value: Variable) => void;
  /** Reads the script of a substitution, and returns its output; undefined if the parser provides no script. */
  readonly run: (part: { readonly text: string; readonly script: ParsedScript | undefined }) => Output | undefined;
  /**
   * Adds the cost of reading a part.
   * @throws if the limit is exceeded
   */
  readonly spend: (bytes: number) => void;
  /** Visits a part that is not a substitution, but may contain some. */
  readonly visit: (part: WordPart) => void;
}

interface Piece {
  readonly text: string;
  readonly isQuoted?: boolean;
  readonly isUnknown?: boolean;
  readonly isGlob?: boolean;
  readonly mayBeOption?: boolean;
  readonly from?: readonly string[];
  /** True if the shell splits the value at blanks. */
  readonly isSplit?: boolean;
  /** Alternatives, each of which becomes a word. */
  readonly choices?: readonly string[];
}

/** Programs whose output is not a copy of their input. */
const DECODERS = new Set([
  ...[
    'base64',
    'base32',
    'basenc',
    'xxd',
    'od',
    'hexdump',
    'rev',
    'tr',
    'openssl',
    'gpg',
    'uudecode',
    'printf',
    'echo',
  ],
  ...['python', 'python3', 'perl', 'ruby', 'node', 'php', 'awk', 'curl', 'wget', ''],
]);
const MAX_WORDS_OF_ONE = 64;
const PER_PIECE = 8;

/** Matches an option whose name is unknown. */
const OPEN_OPTION = /^--?[^=$`]*[$`]/;

/**
 * Returns the words to which a word expands: several for braces or a value that is split, none for an empty variable.
 */
export function readFields(word: Word, scope: Scope): Field[] {
  const pieces =
    word.parts === undefined ? [{ text: word.value }] : word.parts.flatMap((part) => readPart(part, scope));
  return joinPieces(pieces, scope.spend)
    .filter(({ text, isQuoted }) => text !== '' || isQuoted || word.parts === undefined)
    .map((field) => (!field.isKnown && OPEN_OPTION.test(field.text) ? { ...field, mayBeOption: true } : field));
}

/** Reads parts as `readFields` does, but without splitting: for default values and the bodies of here-documents. */
export function readText(parts: readonly WordPart[], scope: Scope): { text: string; isKnown: boolean } {
  const pieces = parts.flatMap((part) => readPart(part, scope, true));
  return {
    text: pieces.map(({ text }) => text).join(''),
    isKnown: pieces.every(({ isUnknown, isGlob }) => isUnknown !== true && isGlob !== true),
  };
}

/** Returns whether the output of one of these programs is unpredictable. */
export function isDecoded(programs: readonly string[]): boolean {
  return programs.some((program) => DECODERS.has(program));
}

type Draft = Field & { readonly isQuoted: boolean };

const EMPTY: Draft = { text: '', isKnown: true, isGlob: false, from: [], mayBeOption: false, isQuoted: false };

function joinPieces(pieces: readonly Piece[], spend: Scope['spend']): Draft[] {
  const done: Draft[] = [];
  // The words built so far; after a brace expansion, there are several.
  let words: Draft[] = [EMPTY];
  for (const piece of pieces) {
    spend(PER_PIECE * words.length);
    const { choices } = piece;
    if (choices !== undefined && words.length * choices.length <= MAX_WORDS_OF_ONE) {
      words = words.flatMap((word) => choices.map((text) => append(word, { text })));
      continue;
    }
    const [first = '', ...others] = piece.isSplit === true ? piece.text.split(/[ \t\n]+/) : [piece.text];
    words = words.map((word) => append(word, { ...piece, text: first }));
    for (const text of others) {
      done.push(...words);
      words = [append(EMPTY, { ...piece, text })];
    }
  }
  return [...done, ...words];
}

function append(word: Draft, piece: Piece): Draft {
  return {
    text: word.text + piece.text,
    isKnown: word.isKnown && piece.isUnknown !== true,
    isGlob: word.isGlob || piece.isGlob === true,
    from: piece.from === undefined ? word.from : [...word.from, ...piece.from],
    mayBeOption: word.mayBeOption || (word.text === '' && piece.mayBeOption === true),
    isQuoted: word.isQuoted || piece.isQuoted === true,
  };
}

function readPart(part: WordPart, scope: Scope, isQuoted = false): Piece[] {
  switch (part.type) {
    case 'Literal':
      return [{ text: part.value, isQuoted }];
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [{ text: part.value, isQuoted: true }];
    case 'DoubleQuoted':
    case 'LocaleString':
      return [{ text: '', isQuoted: true }, ...part.parts.flatMap((inner) => readPart(inner, scope, true))];
    case 'SimpleExpansion':
      return [readVariable(part.text.slice(1), part.text, scope, isQuoted)];
    case 'ParameterExpansion':
      return readParameter(part, scope, isQuoted);
    case 'CommandExpansion':
      return [readSubstitution(part, scope, isQuoted)];
    case 'ProcessSubstitution':
      return [{ text: '/dev/fd/63', isQuoted: true, from: scope.run(part)?.programs ?? [''] }];
    default:
      return [readPattern(part, scope)];
  }
}

function readPattern(part: WordPart, scope: Scope): Piece {
  if (part.type !== 'BraceExpansion' || part.parts !== undefined) scope.visit(part);
  if (part.type === 'BraceExpansion') return { text: part.text, choices: expandBraces(part.text) };
  return part.type === 'ArithmeticExpansion' ? { text: '0', isUnknown: true } : { text: part.text, isGlob: true };
}

function readVariable(name: string, written: string, scope: Scope, isQuoted: boolean): Piece {
  const value = scope.find(name);
  if (value === undefined) return { text: written, isQuoted, isUnknown: true };
  const isOne = value.texts.length === 1;
  return {
    text: value.texts.join(' '),
    isQuoted,
    isSplit: !isQuoted || !isOne || name === '@',
    isUnknown: !value.isKnown || !isOne,
  };
}

function readParameter(part: ParameterExpansionPart, scope: Scope, isQuoted: boolean): Piece[] {
  const { operation, parameter, prefix, text, index } = part;
  scope.spend(text.length);
  if (prefix === '#') return [{ text: '0' }];
  if (prefix === '!') return [{ text, isUnknown: true, mayBeOption: true }];
  if (index !== undefined) scope.visit(part);
  if (operation === undefined) {
    const isList = index?.text === '@' || index?.text === '*';
    return [readVariable(parameter, text, scope, isQuoted && !isList)];
  }
  if (operation.type === 'Default') return [readDefault(parameter, operation, scope, isQuoted)];
  scope.visit(part);
  // An operation on a value may result in an option if the value or its replacement contains a dash.
  const known = scope.find(parameter)?.texts.join(' ') ?? '';
  const mayBeOption = known.includes('-') || (operation.type === 'Replace' && operation.replacement.text.includes('-'));
  return [{ text, isQuoted, isUnknown: true, mayBeOption }];
}

/** Returns the variable's values and the default, since it is unknown which of them applies. */
function readDefault(
  parameter: string,
  { operand, operator }: ParameterDefaultOperation,
  scope: Scope,
  isQuoted: boolean,
): Piece {
  const { text: given } = readText(operand.parts ?? [literal(operand)], scope);
  if (operator.endsWith('=')) scope.assign(parameter, { texts: [given], isKnown: false });
  const texts = [...(scope.find(parameter)?.texts ?? []), given].filter((one) => one !== '');
  return { text: texts.join(' '), isQuoted, isSplit: true, isUnknown: true };
}

function literal({ pos, end, value, text }: Word): WordPart {
  return { type: 'Literal', pos, end, value, text };
}

function readSubstitution(
  part: { readonly text: string; readonly script: ParsedScript | undefined },
  scope: Scope,
  isQuoted: boolean,
): Piece {
  const output = scope.run(part);
  if (output === undefined) return { text: part.text, isQuoted, isUnknown: true, from: [''], mayBeOption: true };
  if (output.text !== undefined) return { text: output.text.trimEnd(), isQuoted, isSplit: !isQuoted };
  const { programs } = output;
  return { text: part.text, isQuoted, isUnknown: true, from: programs, mayBeOption: isDecoded(programs) };
}
