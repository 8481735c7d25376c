import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** The editor uses the colors of the page, and therefore follows its theme. */
export const theme = EditorView.theme({
  '&': {
    maxHeight: '80vh',
    border: '1px solid var(--muted)',
    borderRadius: 'var(--radius)',
    backgroundColor: 'var(--background)',
    color: 'var(--text)',
    fontSize: '13px',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px' },
  '.cm-content, .cm-gutter': { minHeight: '24rem' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--panel)', color: 'var(--muted)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--panel)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--info-tint)', outline: '1px solid var(--accent)' },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'var(--bad-tint)' },
  '.cm-tooltip': {
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius)',
    backgroundColor: 'var(--background)',
    color: 'var(--text)',
    boxShadow: 'var(--shadow)',
    maxWidth: 'min(480px, 90vw)',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-completionInfo': { padding: '6px 10px', fontFamily: 'var(--font)' },
  // In a narrow window, the description would cover the list.
  '@media (max-width: 720px)': { '.cm-completionInfo': { display: 'none' } },
  '.cm-diagnostic': { fontFamily: 'var(--font)', overflowWrap: 'anywhere' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--warn)' },
  '.cm-panels': { backgroundColor: 'var(--panel)', color: 'var(--text)', fontFamily: 'var(--font)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--line)' },
  '.cm-panel.cm-panel-lint ul [aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-panel.cm-search': { padding: '8px 32px 8px 8px' },
  '.cm-panel.cm-search :is(input, button, label)': { minHeight: '24px', margin: '4px 8px 4px 0' },
  '.cm-textfield': { border: '1px solid var(--muted)', backgroundColor: 'var(--background)', color: 'var(--text)' },
  '.cm-button': {
    border: '1px solid var(--muted)',
    backgroundColor: 'var(--background)',
    backgroundImage: 'none',
    color: 'var(--text)',
  },
  '.cm-panel button[name=close]': { color: 'var(--text)' },
  '.cm-searchMatch': { backgroundColor: 'var(--mark)' },
  '.cm-searchMatch.cm-searchMatch-selected': { backgroundColor: 'var(--mark)', outline: '2px solid var(--accent)' },
});

export const highlightStyle = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.string, tags.attributeValue], color: 'var(--ok)' },
  { tag: [tags.comment, tags.lineComment], color: 'var(--muted)', fontStyle: 'italic' },
  { tag: [tags.keyword, tags.labelName, tags.typeName], color: 'var(--warn)' },
]);
