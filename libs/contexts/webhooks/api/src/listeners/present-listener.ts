import type { Static } from '@sinclair/typebox';
import type { Listener } from '@steward/webhooks';
import type { ListenerAnswer } from './listener-schemas.ts';

export function presentListener(listener: Listener): Static<typeof ListenerAnswer> {
  return {
    id: listener.id,
    description: listener.description,
    event_types: [...listener.eventTypes],
    secret_hint: listener.secretHint,
    created_at: listener.createdAt.toISOString(),
    seen_at: listener.seenAt.toISOString(),
  };
}
