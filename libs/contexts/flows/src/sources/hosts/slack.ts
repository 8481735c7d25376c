import { listNames, readHeader, readText } from '../read-fields.ts';
import { isRecent, isSameText, signParts } from '../signature.ts';
import type { ReadEventInput, SourceEvent, WebhookSource } from '../source.ts';
import { FORM } from './github.ts';

/** Describes the requests of Slack: events, interactions (`payload=`) and slash commands (forms). */
export const slack: WebhookSource = {
  mediaTypes: [FORM],
  headers: ['x-slack-request-timestamp', 'x-slack-retry-num', 'x-slack-retry-reason'],
  verify({ headers, rawBody, secret, now }) {
    const timestamp = readHeader(headers, 'x-slack-request-timestamp');
    if (!isRecent(timestamp, now)) return false;
    const expected = `v0=${signParts({ key: secret, parts: [`v0:${timestamp}:`, rawBody] })}`;
    return isSameText(expected, readHeader(headers, 'x-slack-signature'));
  },
  readEvent,
  wrap: ({ value }) => withoutToken(value),
};

/**
 * Reads the event of a request. Retries have the `event_id` of the first attempt; interactions and commands are not
 * retried.
 */
function readEvent({ payload }: ReadEventInput): SourceEvent {
  const type = readText(payload, 'type');
  const challenge = readText(payload, 'challenge');
  if (type === 'url_verification' && challenge !== undefined)
    return { names: [type], handshake: 'Slack’s URL verification', answer: { challenge } };
  const deliveryId = readText(payload, 'event_id');
  const event = readText(payload, 'event', 'type');
  return {
    names: listNames(event ?? readText(payload, 'command') ?? type),
    action: readText(payload, 'event', 'subtype') ?? readText(payload, 'callback_id'),
    deliveryId: deliveryId ?? readText(payload, 'trigger_id'),
    repeatKey: deliveryId,
  };
}

/** Removes the verification token that Slack used before signatures existed: a credential that no run needs. */
function withoutToken(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const { token: _token, ...rest } = value as Record<string, unknown>;
  return rest;
}
