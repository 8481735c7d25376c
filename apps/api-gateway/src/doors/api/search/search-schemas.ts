import { Type, type Static } from '@sinclair/typebox';
import { SEARCH_MODES, SESSION_LABEL, SOURCE_KINDS, type SearchMode } from '@steward/contracts';
import { nullable } from '@steward/http';
import { CHUNK_PLACE, describeDegraded, SESSION_HEADING, Timestamp } from './session-heading.ts';

const Text = (description: string) => Type.String({ minLength: 1, maxLength: 255, description });

export const FiltersSchema = Type.Object(
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
    tool_name: Type.Optional(Text('Tool of a tool call, as it is written.')),
    status: Type.Optional(
      Text("Status of an interaction or a tool call, as it is written; level of a line of a flow's log."),
    ),
    session_source_type: Type.Optional(Text('What the session comes from, as it was opened.')),
    label: Type.Optional(Type.String({ ...SESSION_LABEL, description: 'Label of the session, `key:value`.' })),
  },
  { additionalProperties: false },
);

export const FILTER_NAMES = Object.keys(FiltersSchema.properties);

export const SearchBodySchema = Type.Object(
  {
    query: Type.String({
      maxLength: 4096,
      description: 'Web-search syntax: "quoted phrase", or, -excluded. 1 to 512 characters.',
    }),
    mode: Type.Optional(
      Type.Unsafe<SearchMode>({ type: 'string', enum: SEARCH_MODES, description: 'Default keyword.' }),
    ),
    filters: Type.Optional(FiltersSchema),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'Sessions per page, default 20.' })),
    offset: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 10_000, description: 'Default 0; not together with cursor.' }),
    ),
    cursor: Type.Optional(
      Type.String({ maxLength: 8192, description: '`next_cursor` of the page before: stable while data arrives.' }),
    ),
    max_snippets_per_session: Type.Optional(Type.Integer({ minimum: 0, maximum: 10, description: 'Default 3.' })),
    include_snippet_text: Type.Optional(Type.Boolean({ description: 'Default true.' })),
    explain: Type.Optional(Type.Boolean({ description: 'Adds the parts of the score to every item. Default false.' })),
  },
  { additionalProperties: false },
);

export type SearchBody = Static<typeof SearchBodySchema>;

const Snippet = Type.Object({
  ...CHUNK_PLACE,
  text: nullable(
    Type.String({
      description: 'HTML: matching words in <mark>, everything else escaped. What meaning alone found has no marks.',
    }),
  ),
  rank: Type.Number({ description: 'By its words; of a chunk that meaning alone found, its similarity.' }),
  match_reason: Type.String({ enum: ['keyword', 'semantic', 'both'] }),
  similarity: nullable(Type.Number({ description: 'Cosine of chunk and query; null where meaning did not find it.' })),
});

const Half = nullable(
  Type.Object(
    {
      rank: Type.Integer({ description: 'Place in the list of this half, from 1.' }),
      weight: Type.Number(),
      contribution: Type.Number(),
    },
    { description: 'Null for a half that did not find the session.' },
  ),
);

const Explanation = Type.Object({
  retrieval: Type.String({
    enum: ['all', 'walk', 'index', 'vectors'],
    description:
      'How candidates were found: every chunk of a small account, the newest chunks for a common word, the text index, or vectors alone.',
  }),
  fusion: Type.Optional(
    Type.Object(
      { constant: Type.Number(), keyword: Half, semantic: Half },
      {
        description:
          'Of a hybrid or semantic search: what each half adds to the score. `terms` and `chunks` explain the keyword score.',
      },
    ),
  ),
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
  ...SESSION_HEADING,
  score: Type.Number(),
  match_reason: Type.String({ enum: ['keyword', 'semantic', 'both', 'identifier'] }),
  keyword_score: nullable(Type.Number({ description: 'Null where words did not find it.' })),
  similarity: nullable(Type.Number({ description: 'Of its nearest chunk; null where meaning did not find it.' })),
  matched_chunk_count: Type.Integer(),
  first_match_at: nullable(Timestamp),
  last_match_at: nullable(Timestamp),
  snippets: Type.Array(Snippet),
  explain: Type.Optional(Explanation),
});

export const SearchAnswerSchema = Type.Object({
  query: Type.String(),
  mode: Type.String(),
  effective_mode: Type.String({
    enum: [...SEARCH_MODES],
    description: 'What ran: keyword when the semantic half could not.',
  }),
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
  truncated_sources: Type.Integer({
    description:
      'Sources of the searched window that are too long: their beginning and their end alone are indexed. Counted up to 1000.',
  }),
  embedded_through: nullable(
    Type.String({ format: 'date-time', description: 'Up to here content has vectors; null in keyword mode.' }),
  ),
  degraded: describeDegraded('Why a part of the search did not run.'),
  hint: nullable(Type.String({ description: 'Why the answer has no session, in a sentence; null when it has.' })),
  elapsed_ms: Type.Number(),
});
