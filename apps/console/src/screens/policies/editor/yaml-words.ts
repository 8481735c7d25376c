const KEY = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'[\]{},#&*!|>%@`-][^#:]*?)[ \t]*:(?=\s|$)/;

export const unquote = (key: string): string => (/^["']/.test(key) ? key.slice(1, -1) : key);

/** Returns the key at the beginning of the text, and the length of the key with its colon. */
export function matchKey(text: string): { readonly key: string; readonly length: number } | undefined {
  const found = KEY.exec(text);
  return found === null ? undefined : { key: unquote(found[1] ?? ''), length: found[0].length };
}

/** Returns whether the text is the header of a block scalar, whose content is in the lines below. */
export const isBlockScalar = (text: string): boolean => /^[|>][-+0-9]*\s*(?:#.*)?$/.test(text);

/** Returns the offset of the closing quote; -1 if there is none. */
export function findQuoteEnd(line: string, from: number, quote: string): number {
  for (let at = from; at < line.length; at += 1) {
    if (quote === '"' && line[at] === '\\') at += 1;
    else if (line[at] === quote) return at;
  }
  return -1;
}

/**
 * Returns the offset at which a plain word in a flow collection ends: at a bracket, a comma, a colon before white
 * space, or the end of the line.
 */
export function findPlainEnd(line: string, from: number): number {
  for (let at = from; at < line.length; at += 1) {
    if (/[[\]{},]/.test(line[at] ?? '')) return at;
    if (line[at] === ':' && /^(?:\s|$)/.test(line.slice(at + 1, at + 2))) return at;
  }
  return line.length;
}
