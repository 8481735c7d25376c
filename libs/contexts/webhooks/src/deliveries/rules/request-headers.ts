import { DELIVERY_CONTRACT } from '@steward/contracts';
import { signServiceHeader, signStandardHeader } from './signature.ts';

/** One POST as it is sent. */
export interface OutboundRequest {
  readonly eventId: string;
  readonly eventType: string;
  readonly deliveryId: string;
  /** 1-based. */
  readonly attemptNumber: number;
  readonly secrets: readonly string[];
  readonly timestamp: number;
  readonly traceparent: string | null;
  readonly body: Uint8Array;
}

/** Headers that are the same on every request with an event: its retries, its replays, each of its receivers. */
export function buildEventHeaders({ eventId, eventType }: Pick<OutboundRequest, 'eventId' | 'eventType'>) {
  return {
    'Content-Type': 'application/json',
    'User-Agent': DELIVERY_CONTRACT.userAgent,
    [DELIVERY_CONTRACT.eventIdHeader]: eventId,
    [DELIVERY_CONTRACT.eventTypeHeader]: eventType,
    [DELIVERY_CONTRACT.standardIdHeader]: eventId,
  };
}

/** Every header of one request; both signature families use the same bytes and the same time. */
export function buildRequestHeaders(request: OutboundRequest): Record<string, string> {
  return {
    ...buildEventHeaders(request),
    'Content-Length': String(request.body.byteLength),
    Accept: '*/*',
    'Accept-Encoding': 'identity',
    [DELIVERY_CONTRACT.signatureHeader]: signServiceHeader(request),
    [DELIVERY_CONTRACT.deliveryIdHeader]: request.deliveryId,
    [DELIVERY_CONTRACT.attemptHeader]: String(request.attemptNumber),
    [DELIVERY_CONTRACT.standardTimestampHeader]: String(request.timestamp),
    [DELIVERY_CONTRACT.standardSignatureHeader]: signStandardHeader(request),
    ...(request.traceparent === null ? {} : { [DELIVERY_CONTRACT.traceHeader]: request.traceparent }),
  };
}
