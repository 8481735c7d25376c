import type { CustomPrices, ModelPrice } from '../prices/price.ts';
import type { ModelProvider } from './provider.ts';

export const MAX_FALLBACKS = 3;

/** Fields of a model that an account can set. */
export interface AiModelFields {
  /** Name of the model, unique in the account: clients send it in the field `model`. */
  readonly alias: string;
  readonly provider: ModelProvider;
  /** Base URL of the API, without trailing slash. */
  readonly baseUrl: string;
  /** Name of the model at the provider. */
  readonly modelIdentifier: string;
  /** Prices set by the account; null if the prices of the catalog apply. */
  readonly customPrices: CustomPrices | null;
  readonly maxOutputTokens: number | null;
  /** Ids of the models that are tried in order if this one is unavailable. */
  readonly fallbackModelIds: readonly string[];
  /** True for the default model of the account; an account has at most one default model. */
  readonly isDefault: boolean;
  readonly isEnabled: boolean;
}

export interface AiModel extends AiModelFields {
  readonly id: string;
  readonly hasApiKey: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Fields of a model to save; a field that is undefined stays unchanged. */
export type AiModelPatch = { readonly [Key in keyof AiModelFields]?: AiModelFields[Key] | undefined } & {
  /** API key of the provider; an empty string deletes it. */
  readonly apiKey?: string | undefined;
};

/** A model that may serve a call, with everything needed to call it. */
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
