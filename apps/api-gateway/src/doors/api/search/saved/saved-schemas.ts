import { Type } from '@sinclair/typebox';
import { SEARCH_MODES } from '@steward/contracts';
import { nullable, PageQuery } from '@steward/http';
import { SAVED_SEARCH_VISIBILITIES } from '@steward/slice-search';
import { FILTER_NAMES, FiltersSchema, SearchAnswerSchema, SearchBodySchema } from '../search-schemas.ts';

const id = (description: string) => Type.String({ format: 'uuid', description });
const time = (description: string) => Type.String({ format: 'date-time', description });
const oneOf = <T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], description });

const { query, mode, limit, offset, cursor, max_snippets_per_session, include_snippet_text } =
  SearchBodySchema.properties;
const filters = Type.Optional(FiltersSchema);
const visibility = oneOf(SAVED_SEARCH_VISIBILITIES, 'Who sees it: its owner alone (default), or the account.');
const Name = Type.String({ maxLength: 500, description: 'Unique among your own; 1 to 120 characters.' });
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

/** The rest of a run was saved. */
export const RunSavedBody = Type.Object({ limit, offset, cursor }, { additionalProperties: false });

export const SavedParams = Type.Object({ saved_search_id: id('The saved search.') });

export const SavedQuery = Type.Object(
  {
    ...PageQuery,
    name: Type.Optional(
      Type.String({ maxLength: 500, description: 'Those of exactly this name, white space around it aside.' }),
    ),
    visibility: Type.Optional(oneOf(SAVED_SEARCH_VISIBILITIES, 'Your private ones, or those shared with the account.')),
  },
  { additionalProperties: false },
);

export const SavedAnswer = Type.Object({
  id: id('The saved search.'),
  name: Type.String(),
  query: Type.String(),
  mode: oneOf(SEARCH_MODES, 'How it searches.'),
  filters: FiltersSchema,
  max_snippets_per_session: Type.Integer(),
  include_snippet_text: Type.Boolean(),
  visibility,
  shared_at: nullable(time('Since when.'), 'Since when the account sees it; null while it is private.'),
  owner_user_id: id('Who saved it.'),
  is_own: Type.Boolean({ description: 'Whether the caller may change it.' }),
  ranking_identity: Type.String({ description: 'Names the ranking in force when it was saved.' }),
  last_run_at: nullable(time('When.'), 'When it ran last; null when it never did.'),
  run_count: Type.Integer(),
  created_at: time('When it was made.'),
  updated_at: time('When it was saved last.'),
});

export const RunAnswer = Type.Object({
  search: SearchAnswerSchema,
  unresolved_filters: Type.Array(Type.String({ enum: [...FILTER_NAMES] }), {
    description: 'Filters whose flow, API key or session is gone; they narrow the search all the same.',
  }),
  ranking_changed: Type.Boolean({
    description: 'Whether sessions are ranked in another way than when it was saved; saving it again ends that.',
  }),
});
