import { Type, type Static } from '@sinclair/typebox';
import { SEARCH_MODES, SESSION_LABEL, SOURCE_KINDS, type SearchMode } from '@steward/contracts';
import { nullable } from '@steward/http';
import { CHUNK_PLACE, describeDegraded, SESSION_HEADING, Timestamp } from './session-heading.ts';

const Text = (description: string) => Type.String({ minLength: 1, maxLength: 255, description });

export const FiltersSchema = Type.Object(
  {
    start_date: Type.Optional(
      Type.String({ format: 'date-time', description: 'Start of the range (inclusive), as a time with a UTC offset.' }),
    ),
    end_date: Type.Optional(
      Type.String({ format: 'date-time', description: 'End of the range (exclusive), as a time with a UTC offset.' }),
    ),
    source_kind: Type.Optional(
      Type.String({ enum: [...SOURCE_KINDS], description: 'Only chunks of this kind of content.' }),
    ),
    model_alias: Type.Optional(Text('Only interactions of this model.')),
    provider_name: Type.Optional(Text('Only interactions of this provider.')),
    runtime_principal_id: Type.Optional(Text('Only sessions run by this principal.')),
    api_key_id: Type.Optional(
      Type.String({ format: 'uuid', description: 'Only content that was stored with this API key.' }),
    ),
    flow_id: Type.Optional(Type.String({ format: 'uuid', description: 'Only sessions of this flow.' })),
    session_id: Type.Optional(Type.String({ format: 'uuid', description: 'Only this session.' })),
    role: Type.Optional(Text('Only transcript messages with this role.')),
    tool_name: Type.Optional(Text('Only calls of the tool with exactly this name.')),
    status: Type.Optional(
      Text('Only interactions and tool calls with exactly this status, or log lines of this level.'),
    ),
    session_source_type: Type.Optional(Text('Only sessions of this source type.')),
    label: Type.Optional(Type.String({ ...SESSION_LABEL, description: 'Only sessions with this label, `key:value`.' })),
  },
  { additionalProperties: false, title: 'SearchFilters' },
);

export const FILTER_NAMES = Object.keys(FiltersSchema.properties);

export const SearchBodySchema = Type.Object(
  {
    query: Type.String({
      maxLength: 4096,
      description: 'Web-search syntax: "quoted phrases", alternatives (a or b), -excluded words. 1 to 512 characters.',
    }),
    mode: Type.Optional(
      Type.Unsafe<SearchMode>({ type: 'string', enum: SEARCH_MODES, description: 'Default keyword.' }),
    ),
    filters: Type.Optional(FiltersSchema),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'Sessions per page, default 20.' })),
    offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 10_000,
        description: 'Number of sessions to skip; default 0. Not allowed together with cursor.',
      }),
    ),
    cursor: Type.Optional(
      Type.String({
        maxLength: 8192,
        description:
          '`next_cursor` of the previous page. Content that is stored in the meantime does not shift the pages.',
      }),
    ),
    max_snippets_per_session: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 10, description: 'Maximum number of snippets per session; default 3.' }),
    ),
    include_snippet_text: Type.Optional(Type.Boolean({ description: 'Default true.' })),
    explain: Type.Optional(
      Type.Boolean({ description: 'Whether to add the parts of the score to every result. Default false.' }),
    ),
  },
  { additionalProperties: false },
);

export type SearchBody = Static<typeof SearchBodySchema>;

const Snippet = Type.Object(
  {
    ...CHUNK_PLACE,
    text: nullable(
      Type.String({
        description:
          'HTML: matching words in <mark>, everything else escaped. Snippets found only by meaning contain no marks.',
      }),
    ),
    rank: Type.Number({
      description: 'Keyword score of the chunk; for a chunk found only by meaning, its similarity.',
    }),
    match_reason: Type.String({ enum: ['keyword', 'semantic', 'both'] }),
    similarity: nullable(
      Type.Number({
        description: 'Cosine similarity of chunk and query; null if the semantic half did not find the chunk.',
      }),
    ),
  },
  { title: 'SearchSnippet' },
);

const Half = nullable(
  Type.Object(
    {
      rank: Type.Integer({ description: 'Rank in the result list of this half, from 1.' }),
      weight: Type.Number(),
      contribution: Type.Number(),
    },
    { description: 'Null if this half did not find the session.' },
  ),
);

const Explanation = Type.Object({
  retrieval: Type.String({
    enum: ['all', 'walk', 'index', 'vectors'],
    description:
      'How the candidates were found. `all`: all chunks in the searched range were examined. `walk`: the newest chunks were examined until enough of them matched. `index`: the text index was used. `vectors`: only vectors were compared.',
  }),
  fusion: Type.Optional(
    Type.Object(
      { constant: Type.Number(), keyword: Half, semantic: Half },
      {
        description:
          'For a hybrid or semantic search: the contributions of the keyword half and of the semantic half to the score. `terms` and `chunks` explain the keyword score.',
      },
    ),
  ),
  terms: Type.Array(Type.Object({ term: Type.String(), idf: Type.Number() })),
  chunks: Type.Array(
    Type.Object({
      document_id: Type.String({ format: 'uuid' }),
      weight: Type.Number({
        description:
          'Weight of the chunk in the score: 1 for the best chunk, and much lower for the second and the third.',
      }),
      title_bonus: Type.Number(),
      terms: Type.Array(Type.Object({ term: Type.String(), rank: Type.Number(), contribution: Type.Number() })),
    }),
    {
      description:
        'Chunks that contribute to the keyword score, which is the sum over the chunks of weight x (title_bonus + contributions).',
    },
  ),
});

const Item = Type.Object(
  {
    ...SESSION_HEADING,
    score: Type.Number(),
    match_reason: Type.String({ enum: ['keyword', 'semantic', 'both', 'identifier'] }),
    keyword_score: nullable(Type.Number({ description: 'Null if the keyword half did not find the session.' })),
    similarity: nullable(
      Type.Number({
        description: 'Similarity of the nearest chunk; null if the semantic half did not find the session.',
      }),
    ),
    matched_chunk_count: Type.Integer(),
    first_match_at: nullable(Timestamp),
    last_match_at: nullable(Timestamp),
    snippets: Type.Array(Snippet),
    explain: Type.Optional(Explanation),
  },
  { title: 'FoundSession' },
);

export const SearchAnswerSchema = Type.Object({
  query: Type.String(),
  mode: Type.String(),
  effective_mode: Type.String({
    enum: [...SEARCH_MODES],
    description: 'The mode that was used; keyword if the semantic half could not run.',
  }),
  results: Type.Array(Item),
  total: Type.Integer({ description: 'Number of matching sessions.' }),
  total_is_exact: Type.Boolean({ description: 'False if total is a lower bound.' }),
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
        'Time of the oldest interaction in the searched range whose content was not captured. Only the metadata of such an interaction can match. Null if all content was captured.',
    }),
  ),
  metadata_only_through: nullable(
    Type.String({
      format: 'date-time',
      description: 'Time of the newest interaction in the searched range whose content was not captured.',
    }),
  ),
  truncated_sources: Type.Integer({
    description:
      'Number of sources in the searched range that are too long to be indexed completely; only their beginning and end are indexed. Counted up to 1000.',
  }),
  embedded_through: nullable(
    Type.String({
      format: 'date-time',
      description:
        'Content in the embedding scope that was stored up to this time has vectors, except where embedding failed. Null in keyword mode, or if the time is unknown.',
    }),
  ),
  degraded: describeDegraded('Why a part of the search did not run or may be incomplete.'),
  hint: nullable(Type.String({ description: 'Why the result is empty, as a sentence; null if it is not empty.' })),
  elapsed_ms: Type.Number(),
});
