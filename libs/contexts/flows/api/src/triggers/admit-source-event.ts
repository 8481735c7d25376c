import { evaluateEventFilter } from '@steward/policies';
import {
  findIgnoredReason,
  keepHeaders,
  SOURCES,
  type SourceEvent,
  type SourceHeaders,
  type SourceName,
  type TriggerSource,
  type WebhookOptions,
} from '@steward/flows';
import type { Payload } from './payload.ts';

export interface SourceRequest {
  readonly headers: SourceHeaders;
  readonly payload: Payload;
  readonly bodyDigest: string;
  readonly now: Date;
}

export interface JudgedEvent {
  readonly event: SourceEvent;
  /** Facts about the request, which are passed to the run. */
  readonly source: TriggerSource;
  /** Reason why no run is started; undefined if the request starts one. */
  readonly ignored: string | undefined;
}

/**
 * Classifies a request from a flow's source and decides whether it starts the flow: checks handshakes, `event_types`,
 * then the filter.
 */
export function judgeEvent(name: SourceName, options: WebhookOptions, request: SourceRequest): JudgedEvent {
  const { headers, payload, bodyDigest, now } = request;
  const host = SOURCES[name];
  const event = host.readEvent({ headers, payload, bodyDigest });
  const source: TriggerSource = {
    name,
    event: shorten(event.names[0]),
    action: shorten(event.action),
    delivery_id: shorten(event.deliveryId),
    headers: keepHeaders(headers, [...host.headers, ...(options.headers ?? [])]),
  };
  const ignored = findIgnoredReason(event, options) ?? judgeFilter(options.filter, { payload, event, now });
  return { event, source, ignored };
}

/** Maximum length of stored names: event names from request bodies may have any length. */
const MAX_NAME_LENGTH = 300;

function shorten(text: string | undefined): string | null {
  return text?.slice(0, MAX_NAME_LENGTH) ?? null;
}

interface Filtered {
  readonly payload: Payload;
  readonly event: SourceEvent;
  readonly now: Date;
}

function judgeFilter(filter: string | undefined, { payload, event, now }: Filtered): string | undefined {
  if (filter === undefined) return undefined;
  const { names, action = '' } = event;
  const outcome = evaluateEventFilter(filter, { payload, event: { name: names[0] ?? '', action, names }, now });
  if (outcome.kind === 'error') return `the filter failed: ${outcome.message}`;
  return outcome.value ? undefined : 'the filter evaluated to false';
}
