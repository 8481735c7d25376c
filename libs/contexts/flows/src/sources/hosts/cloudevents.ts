import { listNames, readHeader, readText } from '../read-fields.ts';
import { isSameText } from '../signature.ts';
import type { SourceHeaders, WebhookSource } from '../source.ts';

/**
 * Describes webhooks with CloudEvents 1.0 over HTTP: one event per request, in structured or binary mode; in both cases
 * a run gets the structured form.
 */
export const cloudevents: WebhookSource = {
  mediaTypes: [],
  headers: ['ce-specversion'],
  // Events are not signed; the specification for webhooks uses a bearer token instead.
  verify: ({ headers, secret }) =>
    isSameText(secret, /^Bearer +(.+)$/i.exec(readHeader(headers, 'authorization') ?? '')?.[1]),
  readEvent({ payload }) {
    const id = readText(payload, 'id');
    // An id is unique only within its source.
    const repeatKey = id && JSON.stringify([readText(payload, 'source') ?? '', id]);
    return { names: listNames(readText(payload, 'type')), deliveryId: id, repeatKey };
  },
  wrap: ({ value, headers }) =>
    readHeader(headers, 'ce-id') === undefined ? value : { ...readAttributes(headers), data: value },
};

function readAttributes(headers: SourceHeaders): Record<string, string> {
  const names = Object.keys(headers).filter((name) => /^ce-[a-z0-9]{1,64}$/.test(name) && name !== 'ce-data');
  return Object.fromEntries(names.map((name) => [name.slice(3), decode(readHeader(headers, name) ?? '')]));
}

/** Returns the decoded text of a header: characters that headers cannot contain are percent-encoded. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
