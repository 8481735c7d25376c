/**
 * Model calls: what every call of a model holds of its budgets before it, and books after it; usage row and books in one
 * transaction. Also of the embeddings that search spends on, which are noted by whoever calls for them.
 *
 * Not here: HTTP, calling a model (the model gateway's door), prices and usage rows (models), limits (budgets).
 * Used by: api-gateway.
 */
export { createEmbeddingBooking } from './create-embedding-booking.ts';
export { createModelCalls, type ModelCalls, type ModelCallsDeps } from './create-model-calls.ts';
export type { ModelCall } from './model-call.ts';
