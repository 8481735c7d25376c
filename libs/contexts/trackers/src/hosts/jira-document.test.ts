import { readDocument, toDocument } from './jira-document.ts';

describe('a text in Jira’s document format', () => {
  it.each([
    ['one line', 'one line'],
    ['two\nlines', 'two\nlines'],
    ['two\n\nparagraphs', 'two\nparagraphs'],
    ['', ''],
  ])('%j is converted and read back as %j', (text, read) => expect(readDocument(toDocument(text))).toBe(read));

  it('is read with any content: lists, code, mentions, and unknown parts', () => {
    const text = (words: string) => ({ type: 'text', text: words });
    const document = {
      type: 'doc',
      content: [
        { type: 'heading', content: [text('Steps')] },
        {
          type: 'bulletList',
          content: [{ type: 'listItem', content: [{ type: 'paragraph', content: [text('open')] }] }],
        },
        { type: 'codeBlock', content: [text('x = 1')] },
        {
          type: 'paragraph',
          content: [{ type: 'mention', attrs: { text: '@dana' } }, { type: 'hardBreak' }, text('!')],
        },
        { type: 'unheard', content: [null, 7, 'x'] },
      ],
    };
    expect(readDocument(document)).toBe('Steps\nopen\nx = 1\n@dana\n!');
  });

  it('is read up to a maximum depth of nesting', () => {
    let node: object = { type: 'text', text: 'deep' };
    for (let depth = 0; depth < 10_000; depth += 1) node = { type: 'panel', content: [node] };
    expect(readDocument(node).trim()).toBe('');
  });
});
