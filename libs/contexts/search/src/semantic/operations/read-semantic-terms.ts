import type { DegradedReason } from '@steward/contracts';
import { priceOf } from '../../embedding/rules/price.ts';
import { utcDay } from '../../embedding/rules/utc-day.ts';
import { choosePresentSpace } from '../../vectors/rules/choose-present-space.ts';
import { listSpaces } from '../../vectors/store/vector-space.store.ts';
import type { CorpusTerms, EmbeddingService, MissingTerms, SemanticTerms } from '../semantic-half.ts';
import type { SemanticPorts } from '../semantic-ports.ts';
import { findEmbeddingTerms, type EmbeddingTerms } from '../store/embedding-terms.store.ts';
import { priceQuery } from './create-query-embedder.ts';

type TermsDeps = Pick<
  SemanticPorts,
  'db' | 'clock' | 'logger' | 'embeddingEnabled' | 'embeddingDailyCapUsd' | 'embeddingPrices' | 'embeddingKeys'
>;

/**
 * Determines whether an account's query may be embedded, and whether there are vectors to compare it with. Checks the
 * deployment setting, consent, provider, price, vectors and cap, with two parallel SQL statements. This calls no
 * provider and costs nothing.
 */
export async function readSemanticTerms(
  deps: TermsDeps,
  { accountId, text }: { readonly accountId: string; readonly text: string },
): Promise<SemanticTerms> {
  if (!deps.embeddingEnabled) return miss(['semantic_disabled_by_deployment']);
  const now = deps.clock.now();
  const [terms, spaces] = await Promise.all([
    findEmbeddingTerms(deps.db, { accountId, now }),
    listSpaces(deps.db, accountId),
  ]);
  if (terms?.isEnabled !== true) return miss(['semantic_not_enabled']);
  const service = readService(deps, accountId, terms);
  const pricePerMtok = service && priceOf(deps.embeddingPrices, service.model);
  if (service === undefined || pricePerMtok === undefined) return miss(['semantic_provider_misconfigured']);
  const capUsd = terms.dailyCapUsd ?? deps.embeddingDailyCapUsd;
  const isCapReached = capUsd === 0 || terms.spentUsd + priceQuery({ text, pricePerMtok }) > capUsd;
  const capReasons: DegradedReason[] = isCapReached ? ['semantic_daily_cap_reached'] : [];
  if (spaces.length === 0) return miss([...capReasons, 'semantic_no_vectors']);
  const corpus: CorpusTerms = {
    setting: terms,
    isHeldByCap:
      terms.degradedReason === 'semantic_daily_cap_reached' &&
      terms.degradedAt !== null &&
      utcDay(terms.degradedAt) === utcDay(now),
  };
  const space = choosePresentSpace(spaces, terms);
  if (space === undefined) return miss([...capReasons, 'semantic_model_mismatch'], corpus);
  if (isCapReached) return miss(capReasons, corpus);
  const { databaseNow } = terms;
  return { kind: 'ready', service, space, capUsd, pricePerMtok, heldReason: readHeld(terms), databaseNow, corpus };
}

/**
 * Returns the reason why the provider is paused; undefined if it is not paused. During a pause, queries would wait in
 * vain, and might extend a rate limit.
 */
function readHeld({ isHeld, degradedReason }: EmbeddingTerms): DegradedReason | undefined {
  if (!isHeld) return undefined;
  const isMisconfigured = degradedReason === 'semantic_provider_misconfigured';
  return isMisconfigured ? degradedReason : 'semantic_provider_error';
}

function miss(reasons: readonly DegradedReason[], corpus?: CorpusTerms): MissingTerms {
  return { kind: 'missing', reasons, corpus };
}

/** Returns the service of the setting; undefined if the setting specifies none that can be called. */
function readService(
  { embeddingKeys, logger }: TermsDeps,
  accountId: string,
  { provider, modelIdentifier, baseUrl, apiKeySealed }: EmbeddingTerms,
): EmbeddingService | undefined {
  if (provider === null || modelIdentifier === null || baseUrl === null) return undefined;
  try {
    const apiKey = apiKeySealed === null ? undefined : embeddingKeys.open(apiKeySealed, accountId);
    return { provider, model: modelIdentifier, baseUrl, apiKey };
  } catch (error) {
    // For example, the API key was encrypted with a key that this deployment no longer has.
    logger.error('search.provider_key_unreadable', { account_id: accountId, error });
    return undefined;
  }
}
