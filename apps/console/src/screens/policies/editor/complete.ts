import {
  pickedCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
} from '@codemirror/autocomplete';
import type { AccountNames } from '../../../queries/policy-names.ts';
import type { PolicySchema } from '../../../queries/policy-schema.ts';
import { listChoices, type Choice } from './list-choices.ts';
import { readPlace } from './read-place.ts';

/** Source of the completion. */
export interface PolicyOffers {
  readonly schema: PolicySchema;
  readonly names: AccountNames;
}

/** Matches typed text for which the list of choices remains valid. */
const WORD = /^[\w./*@-]*$/;

/** @param readOffers - returns undefined while the offers are loading */
export function createCompletionSource(readOffers: () => PolicyOffers | undefined): CompletionSource {
  return ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const offers = readOffers();
    if (offers === undefined) return null;
    const found = listChoices(readPlace(state.doc.toString(), pos), offers.schema, offers.names);
    if (found === undefined) return null;
    const { from, choices } = found;
    // Before anything is typed, the list opens by itself only if it contains all allowed values: in any other list,
    // Enter would insert the first choice instead of a new line.
    const isAsked = explicit || pos > from || choices.every(({ kind }) => kind === 'enum');
    return isAsked && choices.length > 0 ? { from, options: choices.map(toCompletion), validFor: WORD } : null;
  };
}

function toCompletion({ label, kind, insert, cursor, description }: Choice): Completion {
  return {
    label,
    type: kind,
    ...(description === undefined ? {} : { info: description }),
    apply: (view, completion, from, to) =>
      view.dispatch({
        changes: { from, to, insert },
        selection: { anchor: from + cursor },
        userEvent: 'input.complete',
        annotations: pickedCompletion.of(completion),
        scrollIntoView: true,
      }),
  };
}
