import { Type } from '@sinclair/typebox';
import { nullable } from '@steward/http';
import { literals, TrackerRepository } from '@steward/api';

/** The tracker and the repository whose events start a flow. */
export const TrackerConfig = Type.Object(
  {
    tracker_id: Type.String({ format: 'uuid', description: 'The connection.' }),
    repository: TrackerRepository,
    registration: Type.Optional(
      Type.Unknown({
        description: 'The field is ignored. It is accepted so that a response can be sent back unchanged.',
      }),
    ),
  },
  {
    additionalProperties: false,
    title: 'TrackerConfig',
    description:
      'For the trigger "tracker": connection and project whose events start the flow. This service registers the webhook at the tracker, and removes it there when the flow no longer needs it.',
  },
);

export const Registration = Type.Object({
  state: literals(
    ['pending', 'active', 'failed', 'removed'] as const,
    'State of the webhook at the tracker; `removed` means that no webhook is registered, because the flow is disabled.',
  ),
  reason: nullable(Type.String(), 'Reason why the webhook could not be registered or removed.'),
  registered_at: nullable(Type.String({ format: 'date-time' }), 'Time of the last registration.'),
  retry_at: nullable(
    Type.String({ format: 'date-time' }),
    'Time of the next attempt to register or remove the webhook.',
  ),
});

export const TrackerConfigAnswer = Type.Object({
  tracker_id: Type.String({ format: 'uuid' }),
  repository: Type.String(),
  registration: Registration,
});
