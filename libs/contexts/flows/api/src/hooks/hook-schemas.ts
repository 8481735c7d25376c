import { Type } from '@sinclair/typebox';
import { nullable } from '@steward/http';
import { literals, TrackerRepository } from '@steward/api';

/** The tracker's repository in a flow. */
export const TrackerConfig = Type.Object(
  {
    tracker_id: Type.String({ format: 'uuid', description: 'The connection.' }),
    repository: TrackerRepository,
    registration: Type.Optional(Type.Unknown({ description: 'Ignored: accepted so that a read can be sent back.' })),
  },
  {
    additionalProperties: false,
    description:
      'With the trigger "tracker": whose events start it. The hook there is registered and removed by this service.',
  },
);

export const Registration = Type.Object({
  state: literals(
    ['pending', 'active', 'failed', 'removed'] as const,
    'Whether the hook is at the tracker; removed: the flow is disabled.',
  ),
  reason: nullable(Type.String(), 'Why not, or not yet.'),
  registered_at: nullable(Type.String({ format: 'date-time' }), 'When it was registered last.'),
  retry_at: nullable(Type.String({ format: 'date-time' }), 'When it is tried next.'),
});

export const TrackerConfigAnswer = Type.Object({
  tracker_id: Type.String({ format: 'uuid' }),
  repository: Type.String(),
  registration: Registration,
});
