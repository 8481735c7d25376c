import { DELIVERY_CONTRACT } from '@steward/contracts';
import { signServiceHeader, signStandardHeader } from './signature.ts';

/** One POST as it goes out. */
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

/** Every header of one request; both signature families over the same bytes and the same time. */
export function buildRequestHeaders(request: OutboundRequest): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'Content-Length': String(request.body.byteLength),
    'User-Agent': DELIVERY_CONTRACT.userAgent,
    Accept: '*/*',
    'Accept-Encoding': 'identity',
    [DELIVERY_CONTRACT.signatureHeader]: signServiceHeader(request),
    [DELIVERY_CONTRACT.eventIdHeader]: request.eventId,
    [DELIVERY_CONTRACT.eventTypeHeader]: request.eventType,
    [DELIVERY_CONTRACT.deliveryIdHeader]: request.deliveryId,
    [DELIVERY_CONTRACT.attemptHeader]: String(request.attemptNumber),
    [DELIVERY_CONTRACT.standardIdHeader]: request.eventId,
    [DELIVERY_CONTRACT.standardTimestampHeader]: String(request.timestamp),
    [DELIVERY_CONTRACT.standardSignatureHeader]: signStandardHeader(request),
    ...(request.traceparent === null ? {} : { [DELIVERY_CONTRACT.traceHeader]: request.traceparent }),
  };
}
