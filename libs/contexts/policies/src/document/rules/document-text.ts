import {
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  stringify,
  visit,
  type Document,
  type YAMLMap,
} from 'yaml';
import { MAX_DOCUMENT_BYTES, type PolicyDocument } from './policy-document.ts';

/** An error or a warning with its position in the document: lines and columns start at 1. */
export interface DocumentProblem {
  readonly line: number;
  readonly column: number;
  /** Position of the problem as a JSON Pointer. */
  readonly path: string;
  readonly message: string;
}

export type Path = readonly (string | number)[];

/** A parsed document whose content has not been checked. */
export interface ReadText {
  readonly value: unknown;
  /** Returns a problem with the position of a part; if the part is missing, with the position of its nearest parent. */
  readonly locate: (path: Path, message: string) => DocumentProblem;
}

export type TextOutcome =
  ({ readonly kind: 'read' } & ReadText) | { readonly kind: 'unreadable'; readonly errors: readonly DocumentProblem[] };

/** Maximum number of reported syntax errors: if the first line is broken, all lines after it cause errors too. */
const MAX_SYNTAX_ERRORS = 10;
/** Maximum number of keys of all maps together: a thousand rules with all their fields have 13,000. */
const MAX_KEYS = 15_000;
/**
 * Maximum number of line breaks and other characters that can start a part: the parser takes ten microseconds and three
 * KB for each. A thousand rules as JSON have 25,000.
 */
const MAX_MARKS = 30_000;
const MARK = /[\n,[{&!]/g;
/** Maximum number of levels of indentation, with up to ten columns each; the parser recurses once per level. */
const MAX_DEPTH = 20;

/**
 * Parses YAML 1.2, which includes JSON. Anchors and aliases are refused, because with them a small document can expand
 * to a large one, and because each rule should be readable where it is defined.
 */
export function readDocumentText(text: string): TextOutcome {
  if (Buffer.byteLength(text) > MAX_DOCUMENT_BYTES) return refuse('A policy can be at most 256 KiB long.');
  if (text.trim() === '') return refuse('The policy is empty.');
  if (countMarks(text) > MAX_MARKS) return refuse(`A policy can have at most ${MAX_MARKS} lines, commas and brackets.`);
  if (isTooDeep(text)) return refuse('The policy is nested too deeply.');
  const lines = new LineCounter();
  const document = parse(text, lines);
  if (document === undefined) return refuse('The policy is nested too deeply.');
  const at = (offset: number, path: Path, message: string): DocumentProblem => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1), path: toPointer(path), message };
  };
  const faults = document.errors.slice(0, MAX_SYNTAX_ERRORS).map(({ pos, message }) => ({ offset: pos[0], message }));
  if (faults.length === 0) faults.push(...findRefused(document));
  if (faults.length > 0)
    return { kind: 'unreadable', errors: faults.map(({ offset, message }) => at(offset, [], message)) };
  const value: unknown = document.toJS({ maxAliasCount: 0 });
  if (!isStorable(value)) return refuse('The policy contains a NUL character or a lone surrogate.');
  return { kind: 'read', value, locate: (path, message) => at(findOffset(document, path), path, message) };
}

export function renderDocument(document: PolicyDocument): string {
  return stringify(document, { lineWidth: 0, aliasDuplicateObjects: false });
}

export function toPointer(path: Path): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

export function fromPointer(pointer: string): string[] {
  return pointer === ''
    ? []
    : pointer
        .slice(1)
        .split('/')
        .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/**
 * Returns whether the database can store all strings of a value: escapes in JSON and YAML may encode characters that no
 * column can store.
 */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\u0000');
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, part]) => isStorable(key) && isStorable(part));
}

/** Parses a document; returns undefined if the parser exceeded the call stack. */
function parse(text: string, lineCounter: LineCounter): Document | undefined {
  // Duplicate keys are checked below, because the library compares each key with all keys before it.
  const options = { schema: 'core', uniqueKeys: false, strict: true, stringKeys: true, prettyErrors: false } as const;
  try {
    return parseDocument(text, { ...options, version: '1.2', lineCounter });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function refuse(message: string): TextOutcome {
  return { kind: 'unreadable', errors: [{ line: 1, column: 1, path: '', message }] };
}

/**
 * Returns whether a document has more levels of brackets or indentation than a policy needs, measured without
 * recursion.
 */
function isTooDeep(text: string): boolean {
  let open = 0;
  for (const character of text) {
    if (character === '[' || character === '{') open += 1;
    else if (character === ']' || character === '}') open -= 1;
    // A bracket in a string also counts: no realistic document contains hundreds of unclosed ones.
    if (open > 200) return true;
  }
  return text.split('\n').some((line) => (/^ *(?:[-?] )*/u.exec(line)?.[0] ?? '').length > MAX_DEPTH * 10);
}

function countMarks(text: string): number {
  return text.match(MARK)?.length ?? 0;
}

interface TextFault {
  readonly offset: number;
  readonly message: string;
}

/** Finds what a policy must not contain: anchors, aliases, duplicate keys, and too many keys. */
function findRefused(document: Document): TextFault[] {
  const found: TextFault[] = [];
  const note = (node: unknown, message: string): void => void found.push({ offset: startOf(node, 0), message });
  let keys = 0;
  visit(document, {
    Node: (_key, node) => {
      const isAnchored = !isAlias(node) && 'anchor' in node && node.anchor !== undefined;
      if (isAlias(node) || isAnchored) note(node, 'Anchors and aliases are not supported: repeat the part instead.');
      if (isMap(node)) for (const key of listRepeatedKeys(node)) note(key, 'Map keys must be unique');
      if (isMap(node)) keys += node.items.length;
      if (keys > MAX_KEYS) note(node, `A policy can have at most ${MAX_KEYS} keys.`);
      if (keys > MAX_KEYS) return visit.BREAK;
      return found.length >= MAX_SYNTAX_ERRORS ? visit.BREAK : undefined;
    },
  });
  return found.slice(0, MAX_SYNTAX_ERRORS);
}

function listRepeatedKeys({ items }: YAMLMap): unknown[] {
  const seen = new Set<string>();
  return items.flatMap(({ key }) => {
    const name = isScalar(key) ? String(key.value) : '';
    if (seen.has(name)) return [key];
    seen.add(name);
    return [];
  });
}

/**
 * Returns the offset of a part; for a member of a map, the offset of its key; for a missing part, that of its nearest
 * parent.
 */
function findOffset(document: Document, path: Path): number {
  let node: unknown = document.contents;
  let offset = startOf(node, 0);
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find(
        (item) => isPair(item) && isScalar(item.key) && String(item.key.value) === String(part),
      );
      if (pair === undefined) return offset;
      offset = startOf(pair.key, offset);
      node = pair.value;
    } else if (isSeq(node)) {
      const item: unknown = node.items[Number(part)];
      if (item === undefined) return offset;
      offset = startOf(item, offset);
      node = item;
    } else return offset;
  }
  return offset;
}

function startOf(node: unknown, otherwise: number): number {
  return isNode(node) ? (node.range?.[0] ?? otherwise) : otherwise;
}
