/**
 * Model calls: what every call of a model holds of its budgets before it, and books after it; usage row and books in one
 * transaction.
 *
 * Not here: HTTP, calling a model (the model gateway's door), prices and usage rows (models), limits (budgets).
 * Used by: api-gateway.
 */
export { createModelCalls } from './create-model-calls.ts';
export type { ModelCalls, ModelCallsDeps } from './create-model-calls.ts';
export type { ModelCall } from './model-call.ts';
