import ts from 'typescript';
import type { SourceText } from './list-texts.ts';

/** Matches a text of at least three words: identifiers, codes, paths and settings are shorter. */
const SENTENCE = /^[“"(]?\p{L}.* .*\p{L}.* .*\p{L}/su;
const SQL = /^\s*(?:select|insert|update|delete|create|alter|drop|with|grant|revoke|comment on|set local|do \$)\b/i;
/** Attributes of elements that contain code instead of text. */
const CODE_ATTRIBUTES: ReadonlySet<string> = new Set(['className', 'd', 'viewBox', 'style', 'id', 'href', 'to']);

/**
 * Lists the strings of a source file that people read: labels, help, messages of errors and of logs. A value within a
 * template is replaced by "…".
 */
export function listMessages(name: string, code: string): SourceText[] {
  const source = ts.createSourceFile(name, code, ts.ScriptTarget.Latest, true);
  const found: SourceText[] = [];
  const add = (node: ts.Node, written: string): void => {
    const text = written.replaceAll(/\s+/g, ' ').trim();
    if (!SENTENCE.test(text) || SQL.test(text)) return;
    found.push({ line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1, text });
  };
  const visit = (node: ts.Node): void => {
    if (isNoText(node)) return;
    if (ts.isTemplateExpression(node)) {
      add(node, [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…'));
      for (const span of node.templateSpans) visit(span.expression);
      return;
    }
    if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) add(node, node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Returns true for SQL in tagged templates, names of modules, types, and attributes with code. */
function isNoText(node: ts.Node): boolean {
  if (ts.isTaggedTemplateExpression(node) || ts.isTypeNode(node)) return true;
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true;
  return ts.isJsxAttribute(node) && CODE_ATTRIBUTES.has(node.name.getText());
}
