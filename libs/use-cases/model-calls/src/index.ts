/**
 * Model calls: the budget reservation before a model call and the ledger entry after it; usage row and ledger change in
 * one transaction. Also for embedding calls of the search, which their caller records.
 *
 * Not here: HTTP, calling a model (the model gateway), prices and usage rows (models), limits (budgets). Used by:
 * api-gateway.
 */
export { createEmbeddingBooking } from './create-embedding-booking.ts';
export { createModelCalls, type ModelCalls, type ModelCallsDeps } from './create-model-calls.ts';
export type { ModelCall } from './model-call.ts';
