import type { NoticeType } from '../channels/channel.ts';

/** A browser in which a person receives notices. */
export interface PushSubscription {
  readonly id: string;
  readonly loginId: string;
  /** Name that the browser reported. */
  readonly description: string;
  readonly origin: string | null;
  readonly notices: readonly NoticeType[];
  readonly lastDeliveryStatus: string | null;
  readonly lastDeliveryAt: Date | null;
  readonly lastError: string | null;
  readonly createdAt: Date;
}

/** Keys of a browser for the encryption of messages (RFC 8291), encoded as base64url. */
export interface PushKeys {
  readonly p256dh: string;
  readonly auth: string;
}

/** Maximum number of subscriptions of a person (LIM-109). */
export const MAX_SUBSCRIPTIONS_PER_USER = 10;

/** Encryption context of the deployment's private key for push services. */
export const PUSH_KEY_CONTEXT = 'push key';
