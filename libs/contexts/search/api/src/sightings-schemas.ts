import { Type } from '@sinclair/typebox';
import { SOURCE_KINDS } from '@steward/contracts';
import { nullable, pageOf, PageQuery } from '@steward/http';

/** Maximum length of a value, more than that of any credential: a private key of 16,384 bits has 13,000 characters. */
const LONGEST_VALUE = 32_768;

export const SightingsBody = Type.Object(
  {
    value: Type.String({
      minLength: 1,
      maxLength: LONGEST_VALUE,
      description: 'The credential to search for. It is not stored or logged.',
    }),
    ...PageQuery,
  },
  { additionalProperties: false },
);

const time = Type.String({ format: 'date-time' });

export const SightingsAnswer = pageOf(
  Type.Object({
    runtime_session_id: Type.String({ format: 'uuid' }),
    session_title: nullable(Type.String(), 'Title with credentials masked.'),
    source_kind: Type.Union(SOURCE_KINDS.map((kind) => Type.Literal(kind))),
    source_id: Type.String(),
    occurred_at: Type.String({
      format: 'date-time',
      description:
        'Time of the content according to its source; if the source states none, the time at which the content was stored.',
    }),
    rule: Type.String({ description: 'Name of the rule that recognized the credential.' }),
    first_seen_at: time,
    last_seen_at: time,
  }),
);
