/**
 * API of identity: routes, schemas and presenters for users, roles, API keys, logins and the kill switch of an account,
 * and the task in the gateway that removes expired data (docs/contract/accounts-and-access.md).
 *
 * Not here: rules and SQL (`@steward/identity`), other APIs, tests of routes, which run the whole gateway
 * (`apps/api-gateway/src/surfaces/api/identity`). Used by: api-gateway.
 */
export { createKillSwitchModule } from './kill-switch/module.ts';
export { createIdentityModule } from './module.ts';
