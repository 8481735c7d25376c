import type { WebhookOptions } from '../schema.ts';
import type { SourceEvent } from './source.ts';

/** Maximum number of names in a reason, so that the response stays short. */
const MAX_NAMED = 5;

/** Maximum length of a name in a reason: a name may come from a request body and may have any length. */
const MAX_NAME_LENGTH = 300;

/**
 * Returns the reason why an event starts no run; undefined if it may start one. The filter of the flow is not evaluated
 * here, but afterwards.
 */
export function findIgnoredReason(
  { names, handshake }: SourceEvent,
  { event_types: types }: Pick<WebhookOptions, 'event_types'>,
): string | undefined {
  if (handshake !== undefined) return handshake;
  if (types === undefined || types.length === 0 || names.some((name) => types.includes(name))) return undefined;
  const wanted = types.length > MAX_NAMED ? `${types.slice(0, MAX_NAMED).join(', ')}, …` : types.join(', ');
  const what = names.length === 0 ? 'the event has no name' : `the event is ${names.at(-1)?.slice(0, MAX_NAME_LENGTH)}`;
  return `${what}, event_types has ${wanted}`;
}
