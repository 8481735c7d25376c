import type { EmbeddingSetting } from './embedding-setting.ts';
import type { EmbeddableText } from './rules/fit-batches.ts';
import type { createSettledTime } from './rules/settled-time.ts';
import type { PriceMap } from './rules/price.ts';

/** What a process that embeds is told of its deployment. */
export interface WorkSettings {
  readonly prices: PriceMap;
  /** Of accounts without a cap of their own. */
  readonly deploymentCapUsd: number;
  /** Texts of one call. */
  readonly batchSize: number;
  /** How long a call is its process's own. */
  readonly leaseSeconds: number;
  /** How often is looked for what no message told of. */
  readonly reconcileSeconds: number;
  readonly random: () => number;
  /** One for all claims of a process. */
  readonly readSettledTime: ReturnType<typeof createSettledTime>;
}

/** What a process has room for. */
export interface ClaimPlaces {
  /** Batches that an account may take of whom alone there is work. */
  readonly room: number;
  /** Of each account, while others are due. */
  readonly share: number;
  /** What it claimed before and has not called yet, by account. */
  readonly waiting: ReadonlyMap<string, number>;
  /** Accounts with anything under way in the process. */
  readonly busy: readonly string[];
}

/** Why an account embeds no further for now, as its setting says it. */
export type StopReason =
  'unpriced_model' | 'semantic_daily_cap_reached' | 'semantic_provider_error' | 'semantic_provider_misconfigured';

/** Texts of one account for one call, with what was set aside for it. Nobody else has them while the lease lasts. */
export interface ClaimedBatch {
  readonly callId: string;
  readonly accountId: string;
  /** As it was at the claim; an answer for another is thrown away. */
  readonly walkFor: string;
  readonly provider: NonNullable<EmbeddingSetting['provider']>;
  readonly baseUrl: string;
  readonly modelIdentifier: string;
  readonly apiKeySealed: Buffer | null;
  readonly texts: readonly EmbeddableText[];
  readonly bytes: number;
  /** As estimated. */
  readonly tokens: number;
  readonly pricePerMtok: number;
  readonly day: string;
  readonly reservedUsd: number;
  readonly tokensPerByte: number | undefined;
  /** The account's only call: the provider has answered nothing yet, or not lately, or two might pass the cap. */
  readonly isAlone: boolean;
  /** Nobody embedded for this account when it was claimed. */
  readonly isDegraded: boolean;
  /** Where its vectors would lie, were they as wide as the former ones. */
  readonly spaceId: string | undefined;
  readonly claimedAt: Date;
}

export type Claim =
  | {
      readonly kind: 'batches';
      readonly batches: readonly ClaimedBatch[];
      /** Nobody else was due or has anything under way here: they may take all places. */
      readonly isOnlyDue: boolean;
    }
  /** An account was served without a call. */
  | { readonly kind: 'looked'; readonly accountId: string; readonly stopped?: StopReason }
  /** Milliseconds until an account is due; 0: those that are, are others' at this moment. */
  | { readonly kind: 'nothing'; readonly dueInMs: number | undefined };
