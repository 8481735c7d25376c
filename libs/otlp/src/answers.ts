import { ExportTraceServiceResponse, RpcStatus } from './trace-messages.ts';

export type OtlpEncoding = 'protobuf' | 'json';

export const MEDIA_TYPES: Readonly<Record<OtlpEncoding, string>> = {
  protobuf: 'application/x-protobuf',
  json: 'application/json',
};

/**
 * Returns the encoding for the media type of a request; parameters of the media type are ignored. For an unknown media
 * type, the encoding is JSON, so that the sender can read the error.
 */
export function readEncoding(contentType: string | undefined): OtlpEncoding {
  return contentType?.split(';')[0]?.trim().toLowerCase() === MEDIA_TYPES.protobuf ? 'protobuf' : 'json';
}

/** Encodes an ExportTraceServiceResponse; without `partial`, all spans were accepted. */
export function encodeTraceAnswer(
  encoding: OtlpEncoding,
  partial?: { readonly rejectedSpans: number; readonly errorMessage: string },
): Uint8Array {
  if (encoding === 'protobuf')
    return ExportTraceServiceResponse.encode(partial === undefined ? {} : { partialSuccess: partial }).finish();
  // The number is a string, as 64-bit numbers are in the JSON of protobuf.
  const answer =
    partial === undefined ? {} : { partialSuccess: { ...partial, rejectedSpans: String(partial.rejectedSpans) } };
  return Buffer.from(JSON.stringify(answer));
}

/** Codes of google.rpc by HTTP status. */
const RPC_CODES: Readonly<Record<number, number>> = {
  400: 3,
  401: 16,
  403: 7,
  404: 5,
  405: 12,
  408: 4,
  409: 10,
  413: 3,
  415: 3,
  422: 3,
  429: 8,
  503: 14,
};
const UNKNOWN = 2;
const INTERNAL = 13;

/** Encodes a google.rpc.Status, the body of every error. */
export function encodeStatus(encoding: OtlpEncoding, httpStatus: number, message: string): Uint8Array {
  const code = RPC_CODES[httpStatus] ?? (httpStatus < 500 ? UNKNOWN : INTERNAL);
  return encoding === 'protobuf'
    ? RpcStatus.encode({ code, message }).finish()
    : Buffer.from(JSON.stringify({ code, message }));
}
