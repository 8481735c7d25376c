import { createVerify, X509Certificate, type KeyObject } from 'node:crypto';
import { listNames, readHeader, readText } from '../read-fields.ts';
import type { ReadEventInput, SignedRequest, SourceEvent, WebhookSource } from '../source.ts';

/**
 * Describes the webhooks of Amazon SNS, which sends its JSON as `text/plain`. A message that is itself JSON is parsed.
 */
export const sns: WebhookSource = {
  mediaTypes: ['text/plain'],
  headers: ['x-amz-sns-message-type', 'x-amz-sns-message-id', 'x-amz-sns-topic-arn', 'x-amz-sns-subscription-arn'],
  verify,
  readEvent,
  wrap({ value, parse }) {
    const message = readText(value, 'Message');
    const inner = message === undefined ? undefined : parse(message);
    return inner !== null && typeof inner === 'object' ? { ...(value as object), Message: inner } : value;
  },
};

function readEvent({ headers, payload }: ReadEventInput): SourceEvent {
  const type = readHeader(headers, 'x-amz-sns-message-type') ?? readText(payload, 'Type');
  const deliveryId = readHeader(headers, 'x-amz-sns-message-id') ?? readText(payload, 'MessageId');
  const names = listNames(type, readText(payload, 'Subject'));
  if (type === 'SubscriptionConfirmation')
    return { names, deliveryId, handshake: describeConfirmation(readText(payload, 'SubscribeURL')) };
  if (type === 'UnsubscribeConfirmation') return { names, deliveryId, handshake: 'the subscription ended' };
  return { names, deliveryId, repeatKey: deliveryId };
}

/** Matches URLs of Amazon's hosts. A reason may contain only such a URL, because a person will open it. */
const OF_AMAZON = /^https:\/\/sns\.[a-z0-9-]{1,40}\.amazonaws\.com(?:\.cn)?\/[\x21-\x7e]{1,2000}$/;

/**
 * Returns the reason why a confirmation starts no run. A URL of Amazon is included, because in the displayed payload
 * the token of the URL is masked.
 */
function describeConfirmation(url: string | undefined): string {
  return url !== undefined && OF_AMAZON.test(url)
    ? `the subscription is pending until ${url} is opened`
    : 'the subscription is pending, and its SubscribeURL does not belong to Amazon: do not open it';
}

const OF_NOTIFICATION = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'];
const OF_CONFIRMATION = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];

/**
 * Verifies a signature. The secret is the PEM certificate to which `SigningCertURL` refers: the service opens no URL
 * from a request body. Messages must be delivered in SNS's own format (messages with raw delivery are not signed).
 */
function verify({ rawBody, secret }: SignedRequest): boolean {
  const body = parse(rawBody);
  const signature = readText(body, 'Signature');
  const version = readText(body, 'SignatureVersion');
  if (signature === undefined || (version !== '1' && version !== '2')) return false;
  const fields = readText(body, 'Type') === 'Notification' ? OF_NOTIFICATION : OF_CONFIRMATION;
  const lines = fields.flatMap((name) => {
    const value = readText(body, name);
    return value === undefined ? [] : [`${name}\n${value}\n`];
  });
  const verifier = createVerify(version === '1' ? 'RSA-SHA1' : 'RSA-SHA256').update(lines.join(''));
  const key = readKey(secret);
  return key !== undefined && verifier.verify(key, signature, 'base64');
}

/** Returns the public key of a certificate; undefined for a secret that was stored for another source. */
function readKey(pem: string): KeyObject | undefined {
  try {
    return new X509Certificate(pem).publicKey;
  } catch {
    return undefined;
  }
}

function parse(rawBody: Buffer): unknown {
  try {
    return JSON.parse(rawBody.toString());
  } catch {
    // A body that is not JSON has no signature.
    return undefined;
  }
}
