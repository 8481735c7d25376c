import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, indentOnInput, syntaxHighlighting, syntaxTree } from '@codemirror/language';
import { forEachDiagnostic, lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { search, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import type { PolicyProblem } from '../../../api/answers.ts';
import { createCompletionSource, type PolicyOffers } from './complete.ts';
import { highlightStyle, theme } from './editor-theme.ts';

export type Position = Pick<PolicyProblem, 'line' | 'column'>;

export interface Editor {
  /** Replaces the text of the editor, unless the given text is one that the editor has reported. */
  readonly setText: (text: string) => void;
  readonly showProblems: (errors: readonly PolicyProblem[], warnings: readonly PolicyProblem[]) => void;
  /** Moves the cursor to a position and focuses the editor. */
  readonly goTo: (position: Position) => void;
  readonly offer: (offers: PolicyOffers | undefined) => void;
  readonly destroy: () => void;
}

interface Options {
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
}

/**
 * Creates an editor for YAML and JSON. The editor is in a shadow root: there, its styles are constructed style sheets,
 * which the content security policy of the page allows; in the document, they would be inline styles, which the policy
 * blocks. The Tab key leaves the editor like any other field.
 */
export function createEditor(root: ShadowRoot, { label, text, onText }: Options): Editor {
  let offers: PolicyOffers | undefined;
  /**
   * Texts that the editor has reported to the page, but that the page has not passed back yet. There may be several,
   * because the user can type again before the page is rendered.
   */
  let reported: string[] = [];
  const report = (next: string): void => {
    reported.push(next);
    onText(next);
  };
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        lintGutter(),
        history(),
        yaml(),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        highlightActiveLine(),
        search({ top: true }),
        autocompletion({
          override: [createCompletionSource(() => offers)],
          activateOnCompletion: ({ type }) => type === 'property',
          interactionDelay: 0,
        }),
        syntaxHighlighting(highlightStyle),
        theme,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of((current) => ({
          'aria-label': label,
          ...(hasErrors(current.state) ? { 'aria-invalid': 'true' } : {}),
        })),
        EditorView.domEventHandlers({ beforeinput: replaceSelection }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) report(state.doc.toString());
        }),
        keymap.of([
          ...closeBracketsKeymap,
          ...completionKeymap,
          ...lintKeymap,
          ...searchKeymap,
          ...historyKeymap,
          ...defaultKeymap,
        ]),
      ],
    }),
  });
  return {
    setText(next) {
      const { doc } = view.state;
      const isCurrent = view.state.toText(next).eq(doc);
      const place = reported.indexOf(next);
      reported = isCurrent ? [] : reported.slice(place + 1);
      if (!isCurrent && place < 0) view.dispatch({ changes: { from: 0, to: doc.length, insert: next } });
    },
    showProblems(errors, warnings) {
      const { state } = view;
      view.dispatch(
        setDiagnostics(state, [
          ...errors.map((problem) => toDiagnostic(state, 'error', problem)),
          ...warnings.map((problem) => toDiagnostic(state, 'warning', problem)),
        ]),
      );
    },
    goTo(position) {
      view.dispatch({ selection: { anchor: findOffset(view.state, position) }, scrollIntoView: true });
      view.focus();
    },
    offer: (next) => void (offers = next),
    destroy: () => view.destroy(),
  };
}

function hasErrors(state: EditorState): boolean {
  let found = false;
  forEachDiagnostic(state, ({ severity }) => void (found ||= severity === 'error'));
  return found;
}

/** Returns the offset of a position, or the nearest offset if the text became shorter. */
function findOffset({ doc }: EditorState, { line, column }: Position): number {
  const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(from + Math.max(column, 1) - 1, to);
}

/**
 * Replaces a selection with the typed text, so that the browser does not do it: the browser would keep the color of the
 * deleted text with an inline style, which the content security policy blocks and reports.
 */
function replaceSelection(event: InputEvent, view: EditorView): boolean {
  const { inputType, data } = event;
  const { from, to, empty } = view.state.selection.main;
  if (inputType !== 'insertText' || data === null || empty || !event.cancelable) return false;
  event.preventDefault();
  const insert = () =>
    view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
  const isHandled = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, data, insert));
  if (!isHandled) view.dispatch(insert());
  return true;
}

/**
 * A problem has only a start position. The text is underlined from there to the end of the word or, if the word is a
 * key, to the end of its value, but not beyond the line.
 */
function toDiagnostic(state: EditorState, severity: Diagnostic['severity'], problem: PolicyProblem): Diagnostic {
  const from = findOffset(state, problem);
  const end = state.doc.lineAt(from).to;
  const word = syntaxTree(state).resolveInner(from, 1);
  const pair = word.parent?.name === 'Key' ? word.parent.parent : undefined;
  const marked = pair?.from === from ? pair : word;
  const to = marked.from >= from && marked.to > from ? Math.min(marked.to, end) : end;
  return { from, to, severity, message: problem.message };
}
