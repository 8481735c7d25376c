import { DELIVERY_CONTRACT } from '@steward/contracts';
import { signServiceHeader, signStandardHeader } from './signature.ts';

/** A POST request as it is sent. */
export interface OutboundRequest {
  readonly eventId: string;
  readonly eventType: string;
  readonly deliveryId: string;
  /** Number of the attempt, starting at 1. */
  readonly attemptNumber: number;
  readonly secrets: readonly string[];
  readonly timestamp: number;
  readonly traceparent: string | null;
  readonly body: Uint8Array;
}

/**
 * Returns the headers that are the same in all requests with an event: in the first attempt, in retries and in replays,
 * for all receivers.
 */
export function buildEventHeaders({ eventId, eventType }: Pick<OutboundRequest, 'eventId' | 'eventType'>) {
  return {
    'Content-Type': 'application/json',
    'User-Agent': DELIVERY_CONTRACT.userAgent,
    [DELIVERY_CONTRACT.eventIdHeader]: eventId,
    [DELIVERY_CONTRACT.eventTypeHeader]: eventType,
    [DELIVERY_CONTRACT.standardIdHeader]: eventId,
  };
}

/** Returns every header of one request; both signature families use the same bytes and the same time. */
export function buildRequestHeaders(request: OutboundRequest): Record<string, string> {
  const signatures = { service: signServiceHeader(request), standard: signStandardHeader(request) };
  return buildHeaders({ ...request, bodyBytes: request.body.byteLength }, signatures);
}

/** The displayable data of a sent request. */
export interface SentRequest extends Omit<OutboundRequest, 'secrets' | 'timestamp' | 'body'> {
  /** Time with which the request was signed. */
  readonly startedAt: Date;
  readonly bodyBytes: number;
}

/**
 * Returns the headers of a request that was sent, without the signatures: within the receiver's time tolerance, a
 * person who knows the signatures could send the event again.
 */
export function describeSentHeaders({ startedAt, ...request }: SentRequest): Record<string, string> {
  const timestamp = toTimestamp(startedAt);
  return buildHeaders({ ...request, timestamp }, { service: `t=${timestamp},v1=${HIDDEN}`, standard: `v1,${HIDDEN}` });
}

const HIDDEN = '(hidden)';

/** Returns a time in seconds since 1970, which is the format of the time in signatures. */
export function toTimestamp(startedAt: Date): number {
  return Math.floor(startedAt.getTime() / 1000);
}

interface BuiltRequest extends Omit<OutboundRequest, 'secrets' | 'body'> {
  readonly bodyBytes: number;
}

function buildHeaders(
  request: BuiltRequest,
  signatures: { readonly service: string; readonly standard: string },
): Record<string, string> {
  return {
    ...buildEventHeaders(request),
    'Content-Length': String(request.bodyBytes),
    Accept: '*/*',
    'Accept-Encoding': 'identity',
    [DELIVERY_CONTRACT.signatureHeader]: signatures.service,
    [DELIVERY_CONTRACT.deliveryIdHeader]: request.deliveryId,
    [DELIVERY_CONTRACT.attemptHeader]: String(request.attemptNumber),
    [DELIVERY_CONTRACT.standardTimestampHeader]: String(request.timestamp),
    [DELIVERY_CONTRACT.standardSignatureHeader]: signatures.standard,
    ...(request.traceparent === null ? {} : { [DELIVERY_CONTRACT.traceHeader]: request.traceparent }),
  };
}
