import ts from 'typescript';

/** Comment, or title of a test or of a block of tests. */
export interface SourceText {
  readonly line: number;
  readonly text: string;
  /** Titles of the blocks around the title of a test or of a block; undefined for a comment. */
  readonly blocks?: readonly string[];
}

const DIRECTIVE = /^[/*\s]*(?:eslint|prettier|@ts-|@jest|@vitest|istanbul|#|region|endregion)/;

/** Lists the comments and the test titles of a source file; consecutive line comments are one text. */
export function listTexts(name: string, code: string): SourceText[] {
  const source = ts.createSourceFile(name, code, ts.ScriptTarget.Latest, true);
  const comments = new Map<number, number>();
  const titles: SourceText[] = [];
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node: ts.Node, blocks: readonly string[]): void => {
    for (const range of ts.getLeadingCommentRanges(code, node.pos) ?? []) comments.set(range.pos, range.end);
    for (const range of ts.getTrailingCommentRanges(code, node.end) ?? []) comments.set(range.pos, range.end);
    const title = readTitle(node);
    if (title !== undefined) titles.push({ line: lineOf(node.getStart(source)), text: title, blocks });
    const inner = title === undefined ? blocks : [...blocks, title];
    for (const child of node.getChildren(source)) visit(child, inner);
  };
  visit(source, []);
  const found = [...comments]
    .filter(([from, to]) => !DIRECTIVE.test(code.slice(from, to)))
    .sort(([left], [right]) => left - right)
    .map(([from, to]) => ({
      line: lineOf(from),
      last: lineOf(to),
      text: readComment(code.slice(from, to)),
      isLine: /\n[ \t]*\/\/$/.test(`\n${code.slice(code.lastIndexOf('\n', from) + 1, from + 2)}`),
    }));
  return [...joinLines(found), ...titles];
}

interface Found extends SourceText {
  readonly last: number;
  readonly isLine: boolean;
}

function joinLines(found: readonly Found[]): SourceText[] {
  const joined: Found[] = [];
  for (const comment of found) {
    const before = joined.at(-1);
    const continues = before?.isLine === true && comment.isLine && comment.line === before.last + 1;
    if (continues) joined.splice(-1, 1, { ...before, last: comment.last, text: `${before.text} ${comment.text}` });
    else joined.push(comment);
  }
  return joined;
}

function readComment(text: string): string {
  return text.replaceAll(/^\/\*+|\s*\*+\/$|^\/\/+|^[ \t]*\*(?!\/)[ ]?/gm, '').trim();
}

/**
 * Returns the title in `describe('…')`, `it('…')`, `it.each(…)('…')` and similar calls; undefined for any other node.
 */
function readTitle(node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node)) return undefined;
  const [title] = node.arguments;
  if (title === undefined || !ts.isStringLiteralLike(title)) return undefined;
  return /^(?:describe|it|test)(?:\.\w+)*(?:\(|$)/.test(node.expression.getText()) ? title.text : undefined;
}
