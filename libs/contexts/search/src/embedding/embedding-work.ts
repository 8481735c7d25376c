import type { EmbeddingSetting } from './embedding-setting.ts';
import type { EmbeddableText } from './rules/fit-batches.ts';
import type { createSettledTime } from './rules/settled-time.ts';
import type { PriceMap } from './rules/price.ts';

/** Deployment settings for a process that embeds. */
export interface WorkSettings {
  readonly prices: PriceMap;
  /** For accounts without a cap of their own. */
  readonly deploymentCapUsd: number;
  /** Texts per call. */
  readonly batchSize: number;
  /** Time for which a process has the exclusive claim on a call. */
  readonly leaseSeconds: number;
  /** Interval of checks for work for which no message arrived. */
  readonly reconcileSeconds: number;
  readonly random: () => number;
  /** One instance is used for all claims of a process. */
  readonly readSettledTime: ReturnType<typeof createSettledTime>;
}

/** Free capacity of a process. */
export interface ClaimPlaces {
  /** Batches that an account may take if no other account has pending work. */
  readonly room: number;
  /** Batches per account, while others are due. */
  readonly share: number;
  /** Claimed but not yet called batches, by account. */
  readonly waiting: ReadonlyMap<string, number>;
  /** Accounts with work in progress in this process. */
  readonly busy: readonly string[];
}

/** Reason why an account embeds nothing more for now, as in its setting. */
export type StopReason =
  'unpriced_model' | 'semantic_daily_cap_reached' | 'semantic_provider_error' | 'semantic_provider_misconfigured';

/** Texts of one account for one call, with their reservation. No other process gets them while the lease is valid. */
export interface ClaimedBatch {
  readonly callId: string;
  readonly accountId: string;
  /** State at the time of the claim; a result for another walk is discarded. */
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
   * The account's only call: its provider has not responded yet, or not recently, or two calls might exceed the cap.
   */
  readonly isAlone: boolean;
  /** Embedding was not working for this account when it was claimed. */
  readonly isDegraded: boolean;
  /** Space of its vectors, if they have the same dimensions as the former ones. */
  readonly spaceId: string | undefined;
  readonly claimedAt: Date;
}

export type Claim =
  | {
      readonly kind: 'batches';
      readonly batches: readonly ClaimedBatch[];
      /** No other account is due or has work in progress here: it may take all slots. */
      readonly isOnlyDue: boolean;
    }
  /** An account was served without a call. */
  | { readonly kind: 'looked'; readonly accountId: string; readonly stopped?: StopReason }
  /** Milliseconds until an account is due; 0: due accounts are currently locked by other transactions. */
  | { readonly kind: 'nothing'; readonly dueInMs: number | undefined };
