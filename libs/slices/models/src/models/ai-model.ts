import type { CustomPrices, ModelPrice } from '../prices/price.ts';
import type { ModelProvider } from './provider.ts';

export const MAX_FALLBACKS = 3;

/** What an account says of one of its models. */
export interface AiModelFields {
  /** Unique in the account: what clients send as `model`. */
  readonly alias: string;
  readonly provider: ModelProvider;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** What the provider calls it. */
  readonly modelIdentifier: string;
  /** Null for the catalogue's. */
  readonly customPrices: CustomPrices | null;
  readonly maxOutputTokens: number | null;
  /** Asked in turn when the model cannot be had. */
  readonly fallbackModelIds: readonly string[];
  /** At most one of an account. */
  readonly isDefault: boolean;
  readonly isEnabled: boolean;
}

export interface AiModel extends AiModelFields {
  readonly id: string;
  readonly hasApiKey: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What a save changes; undefined leaves a field alone. */
export type AiModelPatch = { readonly [Key in keyof AiModelFields]?: AiModelFields[Key] | undefined } & {
  /** An empty text forgets the key. */
  readonly apiKey?: string | undefined;
};

/** One model of a call as it is dialled. */
export interface ServedModel {
  readonly id: string;
  readonly alias: string;
  readonly provider: ModelProvider;
  readonly baseUrl: string;
  readonly modelIdentifier: string;
  readonly apiKey: string | undefined;
  readonly maxOutputTokens: number | null;
  readonly price: ModelPrice;
}
