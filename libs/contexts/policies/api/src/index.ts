/**
 * API of policies: routes, schemas and presenters of policies, their test and backtest, with their background tasks in
 * the gateway (docs/contract/policies.md).
 *
 * Not here: rules and SQL (`@steward/policies`), other APIs, tests of routes, which run the whole gateway
 * (`apps/api-gateway/src/surfaces/api/policies`). Used by: api-gateway.
 */
export { createPoliciesModule } from './module.ts';
