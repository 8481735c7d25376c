/**
 * Models context: the models of an account and their endpoints (`models`), their prices (`prices`), a usage row for
 * each call (`usage`), and responses that continue at the provider after the call has returned (`background`).
 *
 * Not here: HTTP, calling a model (the model gateway), spend limits (the budgets context). Used by: api-gateway, the
 * use cases of model calls and managed agents, and the APIs of several contexts.
 */
export { modelsMigrations } from '../migrations/index.ts';
export { modelsSealedColumns } from './sealed-columns.ts';
export { modelSettings } from './model-settings.ts';
export { familyOf, MODEL_PROVIDERS, type ModelFamily, type ModelProvider } from './models/provider.ts';
export type { AiModel, AiModelPatch, ServedModel } from './models/ai-model.ts';
export {
  createFindModelForCall,
  findServedModel,
  type CallRequest,
  type FindModelForCall,
  type ModelForCall,
} from './models/operations/find-model-for-call.ts';
export { createAiModel, updateAiModelFields, type SaveModelOutcome } from './models/operations/save-ai-model.ts';
export { tryModel, type TrialOutcome } from './models/operations/try-model.ts';
export { deleteAiModel } from './models/operations/delete-ai-model.ts';
export {
  findAiModel,
  findAiModelId,
  holdAiModel,
  listAiModels,
  selectModelsRevision,
} from './models/store/ai-model.store.ts';
export { makesEmbeddings } from './models/rules/trial-call.ts';
export { buildProviderUrl } from './models/rules/provider-url.ts';
export {
  MODEL_PRICE_SOURCES,
  PRICE_SOURCES,
  type CustomPrices,
  type ModelPrice,
  type PriceSource,
  type Rates,
  type TokenCounts,
} from './prices/price.ts';
export { bytesOf, chargeOf, costOf, estimateTokens, worstCost, type ExpectedCall } from './prices/rules/cost.ts';
export { findModelPrice, findPriceWarnings } from './prices/rules/model-price.ts';
export {
  USAGE_SOURCES,
  USAGE_STATUSES,
  type UsageFilter,
  type UsageRow,
  type UsageSource,
  type UsageStatus,
} from './usage/usage-row.ts';
export { buildUsageInsert, insertUsage, listUsage, selectStoredUsage } from './usage/store/usage.store.ts';
export type { BackgroundResponse } from './background/background-response.ts';
export {
  claimLooks,
  closeBackgroundResponse,
  deleteBackgroundResponse,
  findBackgroundResponse,
  insertBackgroundResponse,
  noteMiss,
  purgeBackgroundResponses,
  requireBackgroundQuota,
} from './background/store/background-response.store.ts';
export { USAGE_GROUPS, type UsageGroup, type UsageSummary, type UsageSums } from './usage/usage-summary.ts';
export { retainUsage, type RetainedUsage } from './usage/operations/retain-usage.ts';
export { sumCost, summarizeUsage } from './usage/operations/summarize-usage.ts';
