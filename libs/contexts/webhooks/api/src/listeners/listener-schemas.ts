import { Type } from '@sinclair/typebox';
import { nullable } from '@steward/http';

const time = (description: string) => Type.String({ format: 'date-time', description });
const description = Type.String({ maxLength: 500, description: 'Optional description.' });
const eventTypes = Type.Array(Type.String(), {
  description: 'Event types to listen to; empty means every v1 event. See the catalog.',
});

export const ListenerParams = Type.Object({
  listener_id: Type.String({ format: 'uuid', description: 'The listener.' }),
});

export const ListenerBody = Type.Object(
  { description: Type.Optional(description), event_types: Type.Optional(eventTypes) },
  { additionalProperties: false },
);

const fields = {
  id: Type.String({ format: 'uuid', description: 'The listener.' }),
  description: Type.String({ description: 'Optional description.' }),
  event_types: Type.Array(Type.String(), { description: 'Empty means every v1 event.' }),
  secret_hint: nullable(Type.String(), 'Last four characters of the secret.'),
  created_at: time('When it was created.'),
  seen_at: time('Last time at which a stream was open, accurate to within a minute.'),
};

export const ListenerAnswer = Type.Object(fields);
export const ListenerWithSecret = Type.Object({
  ...fields,
  secret: Type.String({ description: 'Signing secret, returned only in this response.' }),
});

export const StreamQuery = Type.Object(
  {
    from: Type.Optional(
      Type.Union([Type.Literal('kept'), Type.Literal('now')], {
        default: 'kept',
        description:
          'Where a stream without `Last-Event-ID` begins: with the oldest stored event, or with the next new event.',
      }),
    ),
  },
  { additionalProperties: false },
);
