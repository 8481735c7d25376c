import { createTargetGuard, readOrigin } from '@steward/egress';
import { setting, type Setting } from '@steward/process';
import { parsePriceMap, type PriceMap } from './rules/price.ts';

/**
 * Published prices in US dollars per million tokens; if a deployment sets its own prices, they replace all of these.
 */
const KNOWN_PRICES = '{"text-embedding-3-small": 0.02, "text-embedding-3-large": 0.13, "text-embedding-ada-002": 0.1}';

const priceSetting: Setting<PriceMap> = {
  variable: 'SESSION_EMBEDDING_PRICE_PER_MTOK_USD',
  description:
    'JSON object with the price of a million tokens per model; "default" applies to all others. Without a default, content is not embedded with models that are not listed (unpriced_model).',
  unit: 'US dollars',
  secret: false,
  required: false,
  defaultText: KNOWN_PRICES,
  parse: parsePriceMap,
  defaultValue: parsePriceMap(KNOWN_PRICES),
};

/** Embedding settings of the gateway and the indexer, which must be the same for both. */
export const embeddingSettings = {
  embeddingEnabled: setting.boolean('SESSION_EMBEDDING_ENABLED', {
    default: true,
    description: 'Allows accounts to use embeddings and semantic search. If off, keyword search is not affected.',
  }),
  embeddingDailyCapUsd: setting.number('SESSION_EMBEDDING_DAILY_CAP_USD', {
    default: 2,
    min: 0,
    max: 100_000,
    unit: 'US dollars',
    description:
      'Amount that an account may spend on embeddings per UTC day, unless the account sets a different amount.',
  }),
  embeddingPrices: priceSetting,
  embeddingInsecureOrigins: setting.list('SESSION_EMBEDDING_ALLOW_INSECURE_BASE_URLS', {
    check: (entry) => void readOrigin(entry),
    description:
      'Origins (scheme://host:port) of embedding providers that may use http, loopback or private addresses, comma separated: for tests and models on the same machine.',
  }),
  embeddingAllowedPrivateCidrs: setting.list('SESSION_EMBEDDING_ALLOWED_PRIVATE_CIDRS', {
    check: (entry) => void createTargetGuard([entry]),
    description:
      'Private networks that endpoints of embedding providers may resolve to, comma separated; default: none.',
  }),
} as const;
