import { Type } from '@sinclair/typebox';
import { SEARCH_MODES } from '@steward/contracts';
import { nullable, PageQuery } from '@steward/http';
import { SAVED_SEARCH_VISIBILITIES } from '@steward/search';
import { FILTER_NAMES, FiltersSchema, SearchAnswerSchema, SearchBodySchema } from '@steward/api';

const id = (description: string) => Type.String({ format: 'uuid', description });
const time = (description: string) => Type.String({ format: 'date-time', description });
const oneOf = <T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], description });

const { query, mode, limit, offset, cursor, max_snippets_per_session, include_snippet_text } =
  SearchBodySchema.properties;
const filters = Type.Optional(FiltersSchema);
const visibility = oneOf(SAVED_SEARCH_VISIBILITIES, 'Visibility: only the owner (default), or the account.');
const Name = Type.String({ maxLength: 500, description: 'Unique among your saved searches; 1 to 120 characters.' });
const Details = {
  mode,
  filters,
  max_snippets_per_session,
  include_snippet_text,
  visibility: Type.Optional(visibility),
};

export const CreateSavedBody = Type.Object({ name: Name, query, ...Details }, { additionalProperties: false });

export const UpdateSavedBody = Type.Object(
  { name: Type.Optional(Name), query: Type.Optional(query), ...Details },
  { additionalProperties: false },
);

/** Body of a request that runs a saved search; all other parameters are those of the saved search. */
export const RunSavedBody = Type.Object({ limit, offset, cursor }, { additionalProperties: false });

export const SavedParams = Type.Object({ saved_search_id: id('The saved search.') });

export const SavedQuery = Type.Object(
  {
    ...PageQuery,
    name: Type.Optional(
      Type.String({
        maxLength: 500,
        description: 'Only saved searches with exactly this name, ignoring surrounding white space.',
      }),
    ),
    visibility: Type.Optional(
      oneOf(SAVED_SEARCH_VISIBILITIES, 'Only your private searches, or only searches shared with the account.'),
    ),
  },
  { additionalProperties: false },
);

export const SavedAnswer = Type.Object({
  id: id('The saved search.'),
  name: Type.String(),
  query: Type.String(),
  mode: oneOf(SEARCH_MODES, 'Search mode.'),
  filters: FiltersSchema,
  max_snippets_per_session: Type.Integer(),
  include_snippet_text: Type.Boolean(),
  visibility,
  shared_at: nullable(
    time('When it was shared.'),
    'When the search was shared with the account; null while the search is private.',
  ),
  owner_user_id: id('Id of the user who saved the search.'),
  is_own: Type.Boolean({ description: 'Whether the caller owns the saved search; only the owner may change it.' }),
  ranking_identity: Type.String({
    description: 'Identifier of the ranking that was in use when the search was saved.',
  }),
  last_run_at: nullable(time('When it last ran.'), 'When the search was last run; null if never.'),
  run_count: Type.Integer(),
  created_at: time('When it was created.'),
  updated_at: time('When the search was last saved.'),
});

export const RunAnswer = Type.Object({
  search: SearchAnswerSchema,
  unresolved_filters: Type.Array(Type.String({ enum: [...FILTER_NAMES] }), {
    description: 'Filters that refer to a deleted flow or session, or to a revoked API key; they are still applied.',
  }),
  ranking_changed: Type.Boolean({
    description:
      'Whether the ranking changed since the search was saved. Saving the search again resets this to false.',
  }),
});
