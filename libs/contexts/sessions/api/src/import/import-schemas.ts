import { Type } from '@sinclair/typebox';
import { MOST_SESSION_LABELS, SESSION_LABEL } from '@steward/contracts';
import { SESSION_FORMATS } from '@steward/session-formats';
import { Timestamp } from '../runtime-sessions-schemas.ts';

export const ImportQuery = Type.Object(
  {
    format: Type.Optional(
      Type.Union(
        SESSION_FORMATS.map((format) => Type.Literal(format)),
        { description: 'Format of the file; detected from its first lines if omitted.' },
      ),
    ),
    session_source_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description:
          'Source id of the session for entries whose session the file does not name. Session ids in the file take precedence.',
      }),
    ),
    ended_at: Type.Optional(
      Timestamp(
        'Time at which the sessions ended. The sessions are marked as ended at this time; no event is emitted.',
      ),
    ),
    label: Type.Optional(
      Type.Array(Type.String(SESSION_LABEL), {
        maxItems: MOST_SESSION_LABELS,
        description: 'Labels to add to the sessions, in addition to those in the file.',
      }),
    ),
    dry_run: Type.Optional(
      Type.Boolean({ description: 'Whether to read and count the entries without storing them.' }),
    ),
  },
  { additionalProperties: false },
);

export const ImportSummary = Type.Object({
  format: Type.Union([Type.String(), Type.Null()], {
    description: 'Detected format; null if the file was not recognized.',
  }),
  records: Type.Integer({ description: 'Number of lines or JSON values read.' }),
  sessions: Type.Integer({ description: 'Number of sessions with entries in the file.' }),
  created: Type.Integer({ description: 'Number of these sessions that the import created.' }),
  entries: Type.Integer({ description: 'Number of entries that were stored or, in a dry run, read.' }),
  copied: Type.Integer({
    description: 'Number of these entries that a fork copied from another session.',
  }),
  replaced: Type.Integer({
    description: 'Number of existing entries that were replaced because the source changed them.',
  }),
  skipped: Type.Integer({ description: 'Number of entries that were already stored.' }),
  unknown_lines: Type.Record(Type.String(), Type.Integer(), {
    description:
      'Number of records that could not be read completely, by kind; a record of an unknown type is counted under this type. `broken` records are not JSON; `too_large` records contain a string that is too long, or too many values (the limits are those of request bodies); `too_long` records are longer than 4194304 characters, not counting base64 data such as images.',
  }),
  warnings: Type.Array(Type.String(), { description: 'Warnings for the caller.' }),
});
