import { tagRoutes } from '@steward/http';
import type { Module } from '@steward/api';
import { createApplyPolicyRoute, createRollbackPolicyRoute } from './apply-policy.ts';
import { createBacktestLoop, type BacktestLoopDeps } from './backtest-loop.ts';
import { createBacktestRoute, createReadBacktestRoute } from './backtest-policy.ts';
import { createDocumentChecker } from './document-checker.ts';
import type { PoliciesDeps } from './policies-deps.ts';
import {
  createListVersionsRoute,
  createReadPolicyRoute,
  createReadPolicySchemaRoute,
  createReadVersionRoute,
} from './read-policy.ts';
import { createTestPolicyRoute } from './test-policy.ts';
import { createDiffPolicyRoute, createValidatePolicyRoute } from './validate-policy.ts';

/**
 * Creates the routes for policies (documents, versions, tests and backtests), the document checker and the loop that
 * runs backtests (docs/contract/policies.md).
 */
export function createPoliciesModule(given: Omit<PoliciesDeps, 'documents'> & BacktestLoopDeps): Module {
  const documents = createDocumentChecker(given);
  const deps = { ...given, documents };
  return {
    routes: tagRoutes('policies', [
      createReadPolicyRoute(deps),
      createReadPolicySchemaRoute(),
      createValidatePolicyRoute(deps),
      createDiffPolicyRoute(deps),
      createApplyPolicyRoute(deps),
      createTestPolicyRoute(deps),
      createBacktestRoute(deps),
      createReadBacktestRoute(deps),
      createListVersionsRoute(deps),
      createReadVersionRoute(deps),
      createRollbackPolicyRoute(deps),
    ]),
    components: [createBacktestLoop(deps), { name: 'document checker', stop: () => documents.close() }],
  };
}
