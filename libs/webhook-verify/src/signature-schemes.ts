import { createHmac } from 'node:crypto';
import { readHeader, type WebhookHeaders } from './read-header.ts';
import { WebhookVerificationError } from './verification-error.ts';

/** The signature of a request, and how to compute the expected one. */
export interface SignedClaim {
  readonly headerName: string;
  /** Time of the signature, in seconds since 1970. */
  readonly timestamp: number;
  /** All signatures with a version that this package supports. */
  readonly signatures: readonly Buffer[];
  computeMac(secret: string, body: Uint8Array | string): Buffer;
}

const SERVICE_HEADER = 'X-Service-Signature';
const STANDARD_HEADERS = { id: 'webhook-id', timestamp: 'webhook-timestamp', signature: 'webhook-signature' } as const;
const MAC_BYTES = 32;
/**
 * Matches Unix seconds. They have ten digits until the year 2286; the limit of twelve digits ensures that no number
 * loses precision.
 */
const UNIX_SECONDS = /^[0-9]{1,12}$/;

/**
 * Reads the signature of a request: `X-Service-Signature`, or the Standard Webhooks headers if a proxy or function
 * platform forwards only those. An invalid `X-Service-Signature` is refused, not ignored.
 * @throws WebhookVerificationError `header_missing`, `header_malformed`
 */
export function readClaim(headers: WebhookHeaders): SignedClaim {
  const service = readHeader(headers, SERVICE_HEADER);
  if (service !== undefined) return parseServiceHeader(service);
  const standard = readHeader(headers, STANDARD_HEADERS.signature);
  if (standard !== undefined) return parseStandardHeaders(standard, headers);
  throw new WebhookVerificationError(
    'header_missing',
    `The request has neither ${SERVICE_HEADER} nor ${STANDARD_HEADERS.signature}; it was not sent by the service, or a proxy removed the header.`,
  );
}

/** Parses `t=<unix seconds>,v1=<lowercase hex>`, one `v1` per active secret; unknown parts are ignored. */
function parseServiceHeader(header: string): SignedClaim {
  const parts = header.split(',').map((part) => part.trim());
  const readAll = (key: string): string[] =>
    parts.filter((part) => part.startsWith(`${key}=`)).map((part) => part.slice(key.length + 1));
  const times = readAll('t');
  // With two times it would be unclear which one was signed.
  const time = times.length === 1 ? times[0] : undefined;
  if (time === undefined || !UNIX_SECONDS.test(time)) throw malformed(SERVICE_HEADER, 'one part t=<unix seconds>');
  const signatures = readAll('v1').filter((hex) => /^[0-9a-f]{64}$/.test(hex));
  if (signatures.length === 0) throw malformed(SERVICE_HEADER, 'a part v1=<64 lowercase hexadecimal digits>');
  return {
    headerName: SERVICE_HEADER,
    timestamp: Number(time),
    signatures: signatures.map((hex) => Buffer.from(hex, 'hex')),
    computeMac: (secret, body) => createHmac('sha256', secret).update(`${time}.`).update(body).digest(),
  };
}

/** Parses signatures of the form `v1,<base64>`, separated by spaces; each covers the id, the time and the body. */
function parseStandardHeaders(header: string, headers: WebhookHeaders): SignedClaim {
  const id = readHeader(headers, STANDARD_HEADERS.id);
  const time = readHeader(headers, STANDARD_HEADERS.timestamp);
  for (const [name, value] of [[STANDARD_HEADERS.id, id] as const, [STANDARD_HEADERS.timestamp, time] as const])
    if (value === undefined) throw new WebhookVerificationError('header_missing', `The request has no header ${name}.`);
  if (time === undefined || !UNIX_SECONDS.test(time)) throw malformed(STANDARD_HEADERS.timestamp, 'unix seconds');
  const signatures = header
    .split(' ')
    .filter((part) => part.startsWith('v1,'))
    .map((part) => Buffer.from(part.slice(3), 'base64'))
    .filter((mac) => mac.byteLength === MAC_BYTES);
  if (signatures.length === 0) throw malformed(STANDARD_HEADERS.signature, 'v1,<base64>');
  return {
    headerName: STANDARD_HEADERS.signature,
    timestamp: Number(time),
    signatures,
    computeMac: (secret, body) =>
      createHmac('sha256', readStandardKey(secret)).update(`${id}.${time}.`).update(body).digest(),
  };
}

/**
 * Returns the key of the Standard Webhooks signature: the part after `whsec_`, decoded, if it is standard base64 of 24
 * to 64 bytes; otherwise the bytes of the string itself. The sender uses the same rule.
 */
function readStandardKey(secret: string): Buffer {
  const encoded = secret.startsWith('whsec_') ? secret.slice('whsec_'.length) : '';
  const decoded = Buffer.from(encoded, 'base64');
  const isKey = decoded.byteLength >= 24 && decoded.byteLength <= 64 && decoded.toString('base64') === encoded;
  return isKey ? decoded : Buffer.from(secret);
}

function malformed(header: string, expected: string): WebhookVerificationError {
  return new WebhookVerificationError('header_malformed', `The header ${header} does not contain ${expected}.`);
}
