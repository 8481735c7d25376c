import { findPlainEnd, findQuoteEnd, isBlockScalar, matchKey, unquote } from './yaml-words.ts';

/** A mapping or a list that contains the position. */
export interface Frame {
  readonly kind: 'map' | 'seq';
  readonly isFlow: boolean;
  /** Column of the keys or dashes; unused in flow collections. */
  readonly indent: number;
  readonly keys: Set<string>;
  key: string | undefined;
  index: number;
}

/** The text that is being typed. */
export interface Word {
  /** `open`: a value, or a key of a mapping, depending on the schema; `value`: the value of a key. */
  readonly kind: 'open' | 'value';
  /** Offset at which the text begins, after its opening quote. */
  readonly from: number;
  readonly typed: string;
  readonly quote: '' | '"' | "'";
}

interface OpenQuote {
  readonly quote: '"' | "'";
  readonly from: number;
  readonly text: string;
}

const DASH = /^-(?:\s+|$)/;

/**
 * Reads the lines before a position. Each call returns the word at the end of its line, if a word can be typed there.
 */
export class PlaceReader {
  readonly frames: Frame[] = [];
  /** Column of the key whose value is a block scalar. */
  private scalarIndent: number | undefined;
  /** A quoted text that is not closed yet. */
  private open: OpenQuote | undefined;

  /** @param start - offset of the line in the document */
  readLine(line: string, start: number): Word | undefined {
    if (this.open !== undefined || this.isInFlow()) return this.readFlow(line, start);
    const content = line.trimStart();
    const indent = line.length - content.length;
    if (this.scalarIndent !== undefined && indent > this.scalarIndent)
      return { kind: 'value', from: start + indent, typed: content, quote: '' };
    if (content.startsWith('#')) return undefined;
    this.scalarIndent = undefined;
    return this.readBlock(line, indent, start);
  }

  private isInFlow(): boolean {
    return this.frames.at(-1)?.isFlow === true;
  }

  private push(kind: Frame['kind'], indent: number, isFlow = false): Frame {
    const frame: Frame = { kind, indent, isFlow, keys: new Set(), key: undefined, index: 0 };
    this.frames.push(frame);
    return frame;
  }

  private popTo(indent: number): Frame | undefined {
    while ((this.frames.at(-1)?.indent ?? 0) > indent) this.frames.pop();
    return this.frames.at(-1);
  }

  private readBlock(line: string, indent: number, start: number): Word | undefined {
    let column = indent;
    let top = this.popTo(column);
    for (let dash = DASH.exec(line.slice(column)); dash !== null; dash = DASH.exec(line.slice(column))) {
      top = this.popTo(column);
      if (top?.kind === 'seq' && top.indent === column) top.index += 1;
      else this.push('seq', column);
      column += dash[0].length;
    }
    // A key in the same column as the dashes of a list ends the list.
    if (column === indent && top?.kind === 'seq' && top.indent === column) this.frames.pop();
    return this.readContent(line, column, start);
  }

  private readContent(line: string, column: number, start: number): Word | undefined {
    const content = line.slice(column);
    const found = matchKey(content);
    const top = this.frames.at(-1);
    const current = top?.kind === 'map' && top.indent === column ? top : undefined;
    if (found === undefined) {
      if (current !== undefined) current.key = undefined;
      return this.readScalar(content, start + column, 'open');
    }
    const map = current ?? this.push('map', column);
    map.key = found.key;
    map.keys.add(found.key);
    const value = content.slice(found.length).trimStart();
    if (isBlockScalar(value)) {
      this.scalarIndent = column;
      return undefined;
    }
    return this.readScalar(value, start + line.length - value.length, 'value');
  }

  private readScalar(content: string, from: number, kind: Word['kind']): Word | undefined {
    if (/^[[{"']/.test(content)) return this.readFlow(content, from);
    return { kind, from, typed: content, quote: '' };
  }

  /** Reads flow collections and quoted texts up to their end. The rest of the line after this end is ignored. */
  private readFlow(line: string, start: number): Word | undefined {
    let column = 0;
    if (this.open !== undefined) {
      const end = findQuoteEnd(line, 0, this.open.quote);
      if (end < 0) return this.keepOpen({ ...this.open, text: `${this.open.text}\n${line}` });
      this.open = undefined;
      column = end + 1;
    }
    while (column < line.length) {
      const read = this.readToken(line, column, start);
      if (typeof read !== 'number') return read;
      column = read;
      if (!this.isInFlow()) return undefined;
    }
    return this.isInFlow() ? this.wordOf(start + line.length, '', '') : undefined;
  }

  /** Returns the column after the token; if the line ends within the token, returns the word that is being typed. */
  private readToken(line: string, column: number, start: number): number | Word {
    const sign = line.charAt(column);
    if (sign === '"' || sign === "'") {
      const end = findQuoteEnd(line, column + 1, sign);
      if (end < 0) return this.keepOpen({ quote: sign, from: start + column + 1, text: line.slice(column + 1) });
      this.noteKey(line.slice(column, end + 1), line.slice(end + 1));
      return end + 1;
    }
    if (/[[\]{},]/.test(sign)) {
      this.readSign(sign);
      return column + 1;
    }
    if (sign === '#') return line.length;
    if (/[\s:]/.test(sign)) return column + 1;
    const end = findPlainEnd(line, column);
    if (end === line.length) return this.wordOf(start + column, line.slice(column), '');
    this.noteKey(line.slice(column, end), line.slice(end));
    return end;
  }

  private keepOpen(open: OpenQuote): Word {
    this.open = open;
    return this.wordOf(open.from, open.text, open.quote);
  }

  private wordOf(from: number, typed: string, quote: Word['quote']): Word {
    const top = this.frames.at(-1);
    const isKey = top?.isFlow === true && top.kind === 'map' && top.key === undefined;
    return { kind: isKey || top?.kind === 'seq' ? 'open' : 'value', from, typed, quote };
  }

  /** Treats a word as a key of its mapping if a colon follows it. */
  private noteKey(word: string, rest: string): void {
    const top = this.frames.at(-1);
    if (top?.isFlow !== true || top.kind !== 'map' || top.key !== undefined || !/^\s*:/.test(rest)) return;
    top.key = unquote(word.trim());
    top.keys.add(top.key);
  }

  private readSign(sign: string): void {
    const top = this.frames.at(-1);
    if (sign === '{') this.push('map', Number.MAX_SAFE_INTEGER, true);
    else if (sign === '[') this.push('seq', Number.MAX_SAFE_INTEGER, true);
    else if (top?.isFlow !== true) return;
    else if (sign !== ',') this.frames.pop();
    else if (top.kind === 'seq') top.index += 1;
    else top.key = undefined;
  }
}
