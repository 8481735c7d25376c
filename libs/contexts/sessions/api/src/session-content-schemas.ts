import { nullable, type AnswerBody } from '@steward/http';
import { Type } from '@sinclair/typebox';
import { SESSION_CONTENT_KINDS } from '@steward/contracts';
import { CONTENT_ERRORS, type ContentFacts } from '@steward/sessions';
import { Timestamp } from './runtime-sessions-schemas.ts';

const anyJson = (description: string) => Type.Unknown({ description });

const OccurredAt = Type.Optional(nullable(Timestamp('Time of the entry; default: now.')));
const Status = Type.Optional(
  nullable(Type.String({ maxLength: 64, description: 'Outcome, for example `ok` or `error`.' })),
);
const Tokens = (description: string) =>
  Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: 2_147_483_647, description })));

const ExternalId = (description: string) =>
  Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 255, description })));
const EntryId = ExternalId(
  'Id of the entry at its source; an entry whose id the session already has is not stored again.',
);

export const InteractionBody = Type.Object(
  {
    model_alias: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Name of the model in the caller’s request.',
    }),
    provider_name: Type.String({ minLength: 1, maxLength: 255, description: 'Provider that responded.' }),
    request: anyJson('The request as sent to the model.'),
    response: anyJson('The response as received.'),
    usage: Type.Optional(
      nullable(
        Type.Object(
          {
            input_tokens: Tokens('Number of input tokens.'),
            output_tokens: Tokens('Number of output tokens.'),
            cost_usd: Type.Optional(
              nullable(Type.Number({ minimum: 0, maximum: 1_000_000, description: 'Cost in US dollars.' })),
            ),
          },
          { additionalProperties: false },
        ),
      ),
    ),
    status: Status,
    occurred_at: OccurredAt,
    external_id: EntryId,
  },
  { additionalProperties: false },
);

export const ToolCallBody = Type.Object(
  {
    tool_name: Type.String({ minLength: 1, maxLength: 255, description: 'Name of the tool.' }),
    arguments: anyJson('Arguments of the call.'),
    result: Type.Optional(anyJson('Result of the tool.')),
    status: Status,
    occurred_at: OccurredAt,
    external_id: EntryId,
  },
  { additionalProperties: false },
);

export const TranscriptBody = Type.Object(
  {
    messages: Type.Array(
      Type.Object(
        {
          role: Type.String({ minLength: 1, maxLength: 64, description: 'Role of the speaker, for example `user`.' }),
          content: Type.Unsafe<unknown>({
            type: ['string', 'array', 'object'],
            items: {},
            description: 'Text, or message parts in the provider’s format.',
          }),
          occurred_at: OccurredAt,
          external_id: ExternalId(
            'Id of the message at its source; a message whose id the session already has is skipped.',
          ),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 1000, description: 'Messages in order.' },
    ),
  },
  { additionalProperties: false },
);

const text = nullable(Type.String());
const stored = {
  id: Type.String({ format: 'uuid' }),
  runtime_session_id: Type.String({ format: 'uuid' }),
  kind: Type.Union(SESSION_CONTENT_KINDS.map((kind) => Type.Literal(kind))),
  occurred_at: Type.String({ format: 'date-time' }),
  role: text,
  external_id: text,
  model_alias: text,
  provider_name: text,
  tool_name: text,
  status: text,
  input_tokens: nullable(Type.Integer()),
  output_tokens: nullable(Type.Integer()),
  cache_read_tokens: nullable(Type.Integer({ description: 'Number of input tokens read from the provider’s cache.' })),
  cache_write_tokens: nullable(
    Type.Integer({ description: 'Number of input tokens written to the provider’s cache.' }),
  ),
  reasoning_tokens: nullable(Type.Integer({ description: 'Number of output tokens used for reasoning.' })),
  cost_usd: nullable(Type.Number()),
  copy_of: nullable(
    Type.Object(
      { id: Type.String({ format: 'uuid' }), runtime_session_id: Type.String({ format: 'uuid' }) },
      {
        description:
          'The entry of another session from which a fork copied this entry. Statistics count only the original; searches find the original and, if it differs, the copy as well.',
      },
    ),
  ),
  content_captured: Type.Boolean({ description: 'False if the body was not stored.' }),
  created_at: Type.String({ format: 'date-time' }),
};

export const StoredContentAnswer = Type.Object(stored);

export const TimelineItem = Type.Object({
  ...stored,
  content: Type.Unknown({
    description:
      'The body: `{request, response}` of an interaction, `{arguments, result}` of a tool call, otherwise the text or message. Null if it was not stored, or if there is a `content_error`.',
  }),
  content_error: nullable(
    Type.Union(CONTENT_ERRORS.map((error) => Type.Literal(error))),
    'Why a stored body cannot be returned: `unavailable` (the object store does not respond; try again later) or `lost` (the object is missing or its bytes have changed). Null if the body is returned or was not stored.',
  ),
});

export function renderStoredContent(row: ContentFacts): AnswerBody<typeof StoredContentAnswer> {
  return {
    id: row.id,
    runtime_session_id: row.runtimeSessionId,
    kind: row.kind,
    occurred_at: row.occurredAt,
    role: row.role,
    external_id: row.externalId,
    model_alias: row.modelAlias,
    provider_name: row.providerName,
    tool_name: row.toolName,
    status: row.status,
    input_tokens: row.inputTokens,
    output_tokens: row.outputTokens,
    cache_read_tokens: row.cacheReadTokens,
    cache_write_tokens: row.cacheWriteTokens,
    reasoning_tokens: row.reasoningTokens,
    cost_usd: row.costUsd,
    copy_of: row.copyOf === null ? null : { id: row.copyOf.id, runtime_session_id: row.copyOf.sessionId },
    content_captured: row.contentCaptured,
    created_at: row.createdAt,
  };
}
