import { Type } from '@sinclair/typebox';
import { MOST_SESSION_LABELS, SESSION_LABEL } from '@steward/contracts';
import { SESSION_FORMATS } from '@steward/session-formats';
import { Timestamp } from '../runtime-sessions-schemas.ts';

export const ImportQuery = Type.Object(
  {
    format: Type.Optional(
      Type.Union(
        SESSION_FORMATS.map((format) => Type.Literal(format)),
        { description: 'What the file is; recognised by its first lines when left out.' },
      ),
    ),
    session_source_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description:
          'The session of entries whose file names none; a name in the file comes first where there is one for each line.',
      }),
    ),
    ended_at: Type.Optional(Timestamp('When the sessions ended; they end then, without an event.')),
    label: Type.Optional(
      Type.Array(Type.String(SESSION_LABEL), {
        maxItems: MOST_SESSION_LABELS,
        description: 'Labels for the sessions beside those of the file.',
      }),
    ),
    dry_run: Type.Optional(Type.Boolean({ description: 'Reads and counts, and stores nothing.' })),
  },
  { additionalProperties: false },
);

export const ImportSummary = Type.Object({
  format: Type.Union([Type.String(), Type.Null()], {
    description: 'What the file was read as; null when nothing was recognised.',
  }),
  records: Type.Integer({ description: 'Lines, or JSON values, read.' }),
  sessions: Type.Integer({ description: 'Sessions with entries in the file.' }),
  created: Type.Integer({ description: 'Of these, new ones.' }),
  entries: Type.Integer({ description: 'Entries stored; of a dry run, entries read.' }),
  copied: Type.Integer({
    description: 'Of these, entries that a fork took along: another session has them, too.',
  }),
  replaced: Type.Integer({ description: 'Entries that were there, and that their source has written again since.' }),
  skipped: Type.Integer({ description: 'Entries that were there before.' }),
  unknown_lines: Type.Record(Type.String(), Type.Integer(), {
    description:
      'Records of which nothing was read, by kind; `broken` is no JSON, `too_large` holds a text or more values than a body may, `too_long` is above 4 MiB without its pictures.',
  }),
  warnings: Type.Array(Type.String(), { description: 'What the caller should know.' }),
});
