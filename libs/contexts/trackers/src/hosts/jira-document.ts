import { readFields, readList, readText } from './read-answer.ts';

/** Converts a string, whose paragraphs are separated by empty lines, to the Atlassian Document Format. */
export function toDocument(text: string): object {
  const paragraphs = text.split(/\n{2,}/).filter((paragraph) => paragraph.trim() !== '');
  return {
    type: 'doc',
    version: 1,
    content: paragraphs.map((paragraph) => ({ type: 'paragraph', content: toLines(paragraph) })),
  };
}

function toLines(paragraph: string): object[] {
  return paragraph.split('\n').flatMap((line, index) => {
    const text = line === '' ? [] : [{ type: 'text', text: line }];
    return index === 0 ? text : [{ type: 'hardBreak' }, ...text];
  });
}

const BLOCKS: ReadonlySet<string> = new Set([
  'paragraph',
  'heading',
  'codeBlock',
  'blockquote',
  'listItem',
  'tableRow',
  'panel',
  'rule',
]);
/** Maximum depth to which a document is read; deeper levels are omitted. */
const MAX_DEPTH = 100;

/**
 * Returns the text of a document, with blocks on separate lines; a document of Jira Data Center is already a string.
 */
export function readDocument(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value;
  if (depth > MAX_DEPTH) return '';
  const node = readFields(value);
  const type = readText(node, 'type') ?? '';
  if (type === 'text') return readText(node, 'text') ?? '';
  if (type === 'hardBreak') return '\n';
  const own = readText(node, 'attrs', 'text') ?? readText(node, 'attrs', 'url') ?? '';
  const inner = readList(node['content'])
    .map((child) => readDocument(child, depth + 1))
    .join('');
  const text = `${own}${inner}`;
  if (type === 'doc') return text.trim();
  return BLOCKS.has(type) && !text.endsWith('\n') ? `${text}\n` : text;
}
