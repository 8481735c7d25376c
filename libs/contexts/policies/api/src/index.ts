/**
 * API of policies: routes, schemas and presenters for policies, their tests and their backtests, and the loop in the
 * gateway that runs backtests (docs/contract/policies.md).
 *
 * Not here: rules and SQL (`@steward/policies`), other APIs, tests of routes, which run the whole gateway
 * (`apps/api-gateway/src/surfaces/api/policies`). Used by: api-gateway.
 */
export { createPoliciesModule } from './module.ts';
