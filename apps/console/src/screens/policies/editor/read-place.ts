import { PlaceReader, type Frame, type Word } from './place-reader.ts';
import { matchKey, unquote } from './yaml-words.ts';

/** Position in the structure of a document at which the user is typing. */
export interface Place extends Word {
  /** Keys and indexes that lead to the value that is typed, or to the mapping whose key is typed. */
  readonly path: readonly (string | number)[];
  /** Other keys of the mapping. */
  readonly taken: ReadonlySet<string>;
  readonly isFlow: boolean;
  /** Column of the word. */
  readonly indent: number;
}

/**
 * Returns the position of an offset in the structure of a YAML or JSON document that is being edited. It uses
 * indentation and brackets instead of a parser, because the document is usually incomplete at this position.
 */
export function readPlace(text: string, at: number): Place {
  const reader = new PlaceReader();
  const lines = text.slice(0, at).split('\n');
  let start = 0;
  let word = reader.readLine('', 0);
  lines.forEach((line, index) => {
    const isLast = index === lines.length - 1;
    if (isLast || line.trim() !== '') word = reader.readLine(line, start);
    start += line.length + 1;
  });
  const typed: Word = word ?? { kind: 'value', from: at, typed: '', quote: '' };
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  const indent = typed.from - lineStart;
  const top = reader.frames.at(-1);
  return {
    ...typed,
    path: reader.frames.flatMap(({ kind, key, index }): (string | number)[] =>
      kind === 'seq' ? [index] : key === undefined ? [] : [key],
    ),
    taken: typed.kind === 'open' ? listTaken(text.slice(at), top, indent) : new Set(),
    isFlow: top?.isFlow ?? false,
    indent,
  };
}

function listTaken(rest: string, top: Frame | undefined, indent: number): ReadonlySet<string> {
  const map = top?.kind === 'map' && top.key === undefined ? top : undefined;
  const later = top?.isFlow === true ? listLaterFlowKeys(rest) : listLaterKeys(rest, indent);
  return new Set([...(map?.keys ?? []), ...later]);
}

/** Returns the keys that begin in this column in the lines after the offset, up to the end of the mapping. */
function listLaterKeys(rest: string, indent: number): string[] {
  const keys: string[] = [];
  for (const line of rest.split('\n').slice(1)) {
    const column = line.length - line.trimStart().length;
    if (line.trim() === '' || column > indent) continue;
    const key = column === indent ? matchKey(line.slice(column))?.key : undefined;
    if (key === undefined) break;
    keys.push(key);
  }
  return keys;
}

/** Returns the keys after the offset, up to the bracket that closes the collection. */
function listLaterFlowKeys(rest: string): string[] {
  let depth = 0;
  const keys: string[] = [];
  for (const [token] of rest.matchAll(/[[{]|[\]}]|(?:"(?:[^"\\]|\\.)*"|'[^']*'|\w+)\s*:?/g)) {
    if (/^[[{]$/.test(token)) depth += 1;
    else if (/^[\]}]$/.test(token)) depth -= 1;
    else if (depth === 0 && token.endsWith(':')) keys.push(unquote(token.slice(0, -1).trim()));
    if (depth < 0) break;
  }
  return keys;
}
