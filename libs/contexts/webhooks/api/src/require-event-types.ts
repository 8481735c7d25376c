import { AppError, isSubscribableEventType } from '@steward/contracts';
import { toStorableText } from '@steward/text';

/** Returns the types without duplicates; rejects a type that does not exist or cannot be subscribed to. */
export function requireEventTypes(types: readonly string[], field = 'event_types'): string[] {
  const unknown = types.find((type) => !isSubscribableEventType(type));
  if (unknown !== undefined) {
    const name = toStorableText(unknown).slice(0, 100);
    throw new AppError('unknown_event_type', {
      message: `"${name}" is not an event type that endpoints can subscribe to. See the catalog.`,
      detail: { field, event_type: name },
    });
  }
  return [...new Set(types)];
}
