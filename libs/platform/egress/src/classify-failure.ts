import { errors } from 'undici';
import { AnswerLimitError } from './answer-limits.ts';
import { TargetBlockedError } from './guarded-connector.ts';

/** Reason why a request got no response, or no usable one. */
export type ConnectionFailureClass =
  | 'connect_timeout'
  | 'dns_error'
  | 'connection_refused'
  | 'connection_lost'
  | 'network_unreachable'
  | 'tls_error'
  | 'protocol_error'
  | 'target_blocked'
  | 'network_error';

export interface ConnectionFailure {
  readonly errorClass: ConnectionFailureClass;
  /** Short description without the URL and without data sent by the server. */
  readonly error: string;
}

const BY_CODE: Readonly<Record<string, readonly [ConnectionFailureClass, string]>> = {
  ENOTFOUND: ['dns_error', 'the host name does not exist'],
  EAI_AGAIN: ['dns_error', 'the host name could not be resolved in time'],
  EAI_FAIL: ['dns_error', 'the host name could not be resolved'],
  EAI_NODATA: ['dns_error', 'the host name has no address'],
  ECONNREFUSED: ['connection_refused', 'the connection was refused'],
  ECONNRESET: ['connection_lost', 'the connection was reset before a response arrived'],
  EPIPE: ['connection_lost', 'the connection was closed while the request was being sent'],
  UND_ERR_SOCKET: ['connection_lost', 'the connection was closed before a response arrived'],
  EHOSTUNREACH: ['network_unreachable', 'there is no route to the host'],
  ENETUNREACH: ['network_unreachable', 'there is no route to the network'],
  EADDRNOTAVAIL: ['network_unreachable', 'the address cannot be used'],
  ETIMEDOUT: ['connect_timeout', 'the connection was not established in time'],
  UND_ERR_CONNECT_TIMEOUT: ['connect_timeout', 'the connection was not established in time'],
  UND_ERR_HEADERS_OVERFLOW: ['protocol_error', 'the response headers are too large'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['protocol_error', 'the response is not valid HTTP'],
  UND_ERR_RES_EXCEEDED_MAX_SIZE: ['protocol_error', 'the response is too large'],
  UND_ERR_RESPONSE: ['protocol_error', 'the response is not valid HTTP'],
};

const TLS_TEXTS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate chain ends in an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate is not signed by a known authority',
  UNABLE_TO_GET_ISSUER_CERT: 'the certificate is not signed by a known authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate is not signed by a known authority',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'there is no common TLS version',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'there is no common TLS version',
  ERR_SSL_TLSV1_UNRECOGNIZED_NAME: 'the server does not recognize the host name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not speak TLS on this port',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the server does not speak TLS on this port',
};
const TLS_CODE = /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO)/;

/** Returns the class and a short description for a request that got no response, or no usable one. */
export function classifyFailure(error: unknown): ConnectionFailure {
  for (const cause of listCauses(error)) {
    if (cause instanceof TargetBlockedError) return { errorClass: 'target_blocked', error: cause.message };
    if (cause instanceof AnswerLimitError) return { errorClass: 'protocol_error', error: cause.message };
    if (cause instanceof errors.HTTPParserError) {
      return { errorClass: 'protocol_error', error: 'the response is not valid HTTP' };
    }
    const code = (cause as { code?: unknown }).code;
    if (typeof code !== 'string') continue;
    const known = BY_CODE[code];
    if (known !== undefined) return { errorClass: known[0], error: known[1] };
    if (TLS_CODE.test(code)) {
      return { errorClass: 'tls_error', error: `${TLS_TEXTS[code] ?? 'the TLS connection failed'} (${code})` };
    }
  }
  return { errorClass: 'network_error', error: 'the request failed' };
}

const AFTER_CONNECTING: ReadonlySet<ConnectionFailureClass> = new Set(['connection_lost', 'protocol_error']);

/** Returns true if there was a connection, so that the server may have received and executed the request. */
export function mayHaveBeenSent({ errorClass }: Pick<ConnectionFailure, 'errorClass'>): boolean {
  return AFTER_CONNECTING.has(errorClass);
}

/**
 * Returns the error and its causes, nearest first. The errors of an aggregate error, one for each address that was
 * tried, precede it.
 */
function listCauses(error: unknown): unknown[] {
  if (typeof error !== 'object' || error === null) return [];
  const inner = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  const cause = (error as { cause?: unknown }).cause;
  return [...inner, error, ...(cause === undefined ? [] : listCauses(cause))];
}
