import type { ModelProvider } from '../../models/provider.ts';
import type { Factor } from '../price.ts';

/** Factor for half the price: OpenAI, "Flex processing" and "Batch", https://platform.openai.com/docs/pricing. */
const HALF: Factor = [1, 2];
/**
 * Factor of priority processing relative to the standard price, by the start of a model's name; the first match counts.
 * Source: https://platform.openai.com/docs/pricing, table "Priority".
 */
const PRIORITY: readonly (readonly [RegExp, Factor])[] = [
  [/^gpt-5(?:\.\d+)?-mini/, [9, 5]],
  [/^gpt-4\.1-nano/, [2, 1]],
  [/^gpt-4\.1/, [7, 4]],
  [/^gpt-4o-2024-05-13/, [7, 4]],
  [/^gpt-4o-mini/, [5, 3]],
  [/^gpt-4o/, [17, 10]],
  [/^o4-mini/, [20, 11]],
  [/^o3/, [7, 4]],
];
/** The highest factor of priority processing. */
const DEAREST: Factor = [2, 1];
/**
 * Factor of fast processing: Anthropic, "Fast mode", https://platform.claude.com/docs/en/build-with-claude/fast-mode.
 * Six is the factor of the first models with a fast mode, and is also assumed for models without a documented factor.
 */
const FAST: Factor = [6, 1];
const FAST_MODELS: readonly (readonly [RegExp, Factor])[] = [[/^claude-opus-5(?:-\d{8})?$/, [2, 1]]];

/** Returns the factors for token prices by service tier, except for the tier `standard`. */
export function listTiers(
  provider: ModelProvider,
  modelIdentifier: string,
): Readonly<Record<'flex' | 'batch' | 'priority' | 'fast', Factor>> {
  const name = modelIdentifier.slice(modelIdentifier.lastIndexOf('/') + 1);
  if (provider === 'anthropic') {
    const fast = FAST_MODELS.find(([pattern]) => pattern.test(name))?.[1] ?? FAST;
    return { flex: HALF, batch: HALF, priority: [1, 1], fast };
  }
  const priority = PRIORITY.find(([pattern]) => pattern.test(name))?.[1] ?? DEAREST;
  // For other providers, it is unknown whether the tiers `flex` and `batch` are cheaper.
  const flex: Factor = provider === 'openai' ? HALF : [1, 1];
  return { flex, batch: flex, priority, fast: DEAREST };
}
