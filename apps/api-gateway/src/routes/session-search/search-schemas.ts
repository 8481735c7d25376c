import { Type, type Static } from '@sinclair/typebox';
import { SOURCE_KINDS } from '@steward/contracts';

const Text = (description: string) => Type.String({ minLength: 1, maxLength: 255, description });

const Filters = Type.Object(
  {
    start_date: Type.Optional(Type.String({ format: 'date-time', description: 'Inclusive, with offset.' })),
    end_date: Type.Optional(Type.String({ format: 'date-time', description: 'Exclusive, with offset.' })),
    source_kind: Type.Optional(
      Type.String({ enum: [...SOURCE_KINDS], description: 'What the chunk was written from.' }),
    ),
    model_alias: Type.Optional(Text('Model of the interaction.')),
    provider_name: Type.Optional(Text('Provider of the interaction.')),
    runtime_principal_id: Type.Optional(Text('Principal that ran the session.')),
    api_key_id: Type.Optional(Type.String({ format: 'uuid', description: 'API key of the call.' })),
    flow_id: Type.Optional(Type.String({ format: 'uuid', description: 'Flow of the session.' })),
    session_id: Type.Optional(Type.String({ format: 'uuid', description: 'One session.' })),
    role: Type.Optional(Text('Role of a transcript message.')),
  },
  { additionalProperties: false },
);

export const FILTER_NAMES = Object.keys(Filters.properties);
export const SEARCH_MODES = ['keyword', 'semantic', 'hybrid'];

export const SearchBody = Type.Object(
  {
    query: Type.String({
      maxLength: 4096,
      description: 'Web-search syntax: "quoted phrase", or, -excluded. 1 to 512 characters.',
    }),
    mode: Type.Optional(Type.String({ enum: SEARCH_MODES, description: 'Default keyword.' })),
    filters: Type.Optional(Filters),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'Sessions per page, default 20.' })),
    offset: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 10_000, description: 'Default 0; not together with cursor.' }),
    ),
    cursor: Type.Optional(
      Type.String({ maxLength: 512, description: '`next_cursor` of the page before: stable while data arrives.' }),
    ),
    max_snippets_per_session: Type.Optional(Type.Integer({ minimum: 0, maximum: 10, description: 'Default 3.' })),
    include_snippet_text: Type.Optional(Type.Boolean({ description: 'Default true.' })),
    explain: Type.Optional(Type.Boolean({ description: 'Adds the parts of the score to every item. Default false.' })),
  },
  { additionalProperties: false },
);

export type SearchRequest = Static<typeof SearchBody>;

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);
const Timestamp = Type.String({ format: 'date-time' });

const Snippet = Type.Object({
  document_id: Type.String({ format: 'uuid' }),
  source_kind: Type.String({ enum: [...SOURCE_KINDS] }),
  source_id: Type.String(),
  chunk_index: Type.Integer(),
  occurred_at: Timestamp,
  role: nullable(Type.String()),
  text: nullable(Type.String({ description: 'HTML: matches in <mark>, everything else escaped.' })),
  rank: Type.Number(),
  match_reason: Type.String(),
  similarity: nullable(Type.Number()),
});

const Explanation = Type.Object({
  retrieval: Type.String({
    enum: ['all', 'walk', 'index'],
    description:
      'How candidates were found: every chunk of a small account, the newest chunks for a common word, the text index.',
  }),
  terms: Type.Array(Type.Object({ term: Type.String(), idf: Type.Number() })),
  chunks: Type.Array(
    Type.Object({
      document_id: Type.String({ format: 'uuid' }),
      weight: Type.Number({ description: 'What the chunk counts in the score: the best one fully, two more damped.' }),
      title_bonus: Type.Number(),
      terms: Type.Array(Type.Object({ term: Type.String(), rank: Type.Number(), contribution: Type.Number() })),
    }),
    { description: 'The chunks that make the score: the sum of weight x (title_bonus + contributions).' },
  ),
});

const Item = Type.Object({
  runtime_session_id: Type.String({ format: 'uuid' }),
  session_source_type: Type.String(),
  session_source_id: Type.String(),
  session_reference: nullable(Type.String()),
  title: nullable(Type.String()),
  started_at: Timestamp,
  last_activity_at: Timestamp,
  ended_at: nullable(Timestamp),
  score: Type.Number(),
  match_reason: Type.String({ enum: ['keyword', 'semantic', 'both', 'identifier'] }),
  keyword_score: nullable(Type.Number()),
  similarity: nullable(Type.Number()),
  matched_chunk_count: Type.Integer(),
  first_match_at: nullable(Timestamp),
  last_match_at: nullable(Timestamp),
  snippets: Type.Array(Snippet),
  explain: Type.Optional(Explanation),
});

export const SearchAnswer = Type.Object({
  query: Type.String(),
  mode: Type.String(),
  effective_mode: Type.String({ description: 'What ran: keyword when the semantic half could not.' }),
  results: Type.Array(Item),
  total: Type.Integer({ description: 'Sessions that match.' }),
  total_is_exact: Type.Boolean({ description: 'False when total is a lower bound.' }),
  limit: Type.Integer(),
  offset: Type.Integer(),
  next_cursor: nullable(Type.String()),
  indexed_from: nullable(Timestamp),
  indexed_through: nullable(Timestamp),
  backfill_complete: Type.Boolean(),
  backfill_state: Type.String({ enum: ['not_started', 'in_progress', 'complete'] }),
  metadata_only_from: nullable(
    Type.String({
      format: 'date-time',
      description:
        'Oldest interaction of the searched window whose content was not captured: only its metadata can match. Null when all was.',
    }),
  ),
  metadata_only_through: nullable(Type.String({ format: 'date-time', description: 'Newest of these.' })),
  embedded_through: nullable(Timestamp),
  degraded: Type.Object({
    keyword: Type.Boolean(),
    semantic: Type.Boolean(),
    reasons: Type.Array(Type.String()),
    detail: nullable(Type.String()),
  }),
  elapsed_ms: Type.Number(),
});
