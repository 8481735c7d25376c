/**
 * Model calls: the budget reservation before a model call and the ledger entry after it; usage row and ledger change in
 * one transaction. Also makes the service's own model calls, and records the cost of embedding calls; the search makes
 * those calls, and stores their usage first.
 *
 * Not here: HTTP, passing on the calls of clients (the model gateway), prices and usage rows (models), limits
 * (budgets). Used by: api-gateway, for the calls of clients; the APIs of the models, approvals and sessions contexts,
 * for the service's own calls.
 */
export { createEmbeddingBooking } from './create-embedding-booking.ts';
export { createModelCalls, type ModelCalls, type ModelCallsDeps } from './create-model-calls.ts';
export type { ModelCall } from './model-call.ts';
export { createEventLines } from './answers/event-lines.ts';
export { createKeyHider, type KeyHider } from './answers/hide-key.ts';
export { createJsonScanner } from './answers/json-scanner.ts';
export { createUsageReader, estimate, type CallUsage } from './answers/usage-reader.ts';
export { askModel, findReviewModel, type AskModelDeps, type ModelPrompt } from './ask-model.ts';
export { createAskedModels, type AskedModels } from './asked-models.ts';
export {
  beginHead,
  buildUsageRow,
  expectCall,
  guessUnanswered,
  guessWritten,
  limitOutput,
  sizeInput,
  type CallHead,
  type CallOutcome,
} from './call-facts.ts';
export { CALL_PATHS, isCounting, isKept, takesItems, type CallPath } from './call-path.ts';
export { requireAllowed } from './require-allowed.ts';
export { refuseLimited } from './refuse-limited.ts';
export { listClientHeaders, listProviderHeaders } from './provider-headers.ts';
