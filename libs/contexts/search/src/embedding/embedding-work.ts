import type { EmbeddingSetting } from './embedding-setting.ts';
import type { EmbeddableText } from './rules/fit-batches.ts';
import type { createSettledTime } from './rules/settled-time.ts';
import type { PriceMap } from './rules/price.ts';

/** Deployment settings for a process that embeds. */
export interface WorkSettings {
  readonly prices: PriceMap;
  /** Daily cap in US dollars for accounts without their own cap. */
  readonly deploymentCapUsd: number;
  /** Maximum number of texts per call. */
  readonly batchSize: number;
  /** Duration of the lease of a call. */
  readonly leaseSeconds: number;
  /** Interval of checks for work, in case a message was lost. */
  readonly reconcileSeconds: number;
  readonly random: () => number;
  /** Returns the settled time; all claims of a process use one such function, since it keeps a marker. */
  readonly readSettledTime: ReturnType<typeof createSettledTime>;
}

/** Number of batches that a process may claim, in total and per account. */
export interface ClaimPlaces {
  /** Number of batches that an account may take if no other account has pending work. */
  readonly room: number;
  /** Maximum number of batches per account while others are due. */
  readonly share: number;
  /** Number of batches, by account, that this process has claimed but not sent yet. */
  readonly waiting: ReadonlyMap<string, number>;
  /** Accounts with work in progress in this process. */
  readonly busy: readonly string[];
}

/** Reason why embedding is stopped for an account, as stored in its setting. */
export type StopReason =
  'unpriced_model' | 'semantic_daily_cap_reached' | 'semantic_provider_error' | 'semantic_provider_misconfigured';

/**
 * Texts of one account for one call, with the reservation of its cost. No other process can claim these texts while the
 * lease is valid.
 */
export interface ClaimedBatch {
  readonly callId: string;
  readonly accountId: string;
  /**
   * Key of the walk at the time of the claim; the result is discarded if the setting requires another walk when the
   * result is stored.
   */
  readonly walkFor: string;
  readonly provider: NonNullable<EmbeddingSetting['provider']>;
  readonly baseUrl: string;
  readonly modelIdentifier: string;
  readonly apiKeySealed: Buffer | null;
  readonly texts: readonly EmbeddableText[];
  readonly bytes: number;
  /** Estimated number of tokens. */
  readonly tokens: number;
  readonly pricePerMtok: number;
  readonly day: string;
  readonly reservedUsd: number;
  readonly tokensPerByte: number | undefined;
  /**
   * True if no other call of the account may run at the same time: nothing has been embedded in this walk yet, the
   * provider has recently failed, or two calls might exceed the cap.
   */
  readonly isAlone: boolean;
  /** True if embedding was not working for this account when the batch was claimed. */
  readonly isDegraded: boolean;
  /**
   * Id of the space in which the vectors are stored if they have the same dimensions as before; undefined if there is
   * no space yet.
   */
  readonly spaceId: string | undefined;
  readonly claimedAt: Date;
}

export type Claim =
  | {
      readonly kind: 'batches';
      readonly batches: readonly ClaimedBatch[];
      /**
       * True if no other account is due or has work in progress in this process, so that the account may use all slots.
       */
      readonly isOnlyDue: boolean;
    }
  /** An account was processed without a call. */
  | { readonly kind: 'looked'; readonly accountId: string; readonly stopped?: StopReason }
  /**
   * Milliseconds until the next account is due; 0 if the due accounts are currently locked by other transactions;
   * undefined if none becomes due without an event.
   */
  | { readonly kind: 'nothing'; readonly dueInMs: number | undefined };
