import type { Static } from '@sinclair/typebox';
import { AppError } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { findAgent, resolveAgentId } from '@steward/agents';
import { traceDecision, type ToolCallFacts } from '@steward/policies';
import { readSentTool } from '@steward/api';
import type { PoliciesDeps } from './policies-deps.ts';
import { TestAnswer, TestBody } from './policies-schemas.ts';
import { readSentDocument } from './read-sent-document.ts';

/** Maximum size of the body: a document and arguments of 256 KiB each, as JSON within JSON. */
const BODY_LIMIT_BYTES = 1024 * 1024;

export function createTestPolicyRoute(deps: PoliciesDeps): Route {
  const { db, clock } = deps;
  return defineRoute({
    operationId: 'testPolicy',
    method: 'post',
    path: '/api/v1/policies/test',
    permissions: ['view_policies'],
    summary: 'Evaluate a tool call against the policy, rule by rule. No tool is called, and nothing is recorded.',
    body: TestBody,
    bodyExample: { tool_name: 'delete_branch', server: 'github', arguments: { branch: 'main' } },
    bodyLimitBytes: BODY_LIMIT_BYTES,
    responses: { 200: { description: 'The decision.', name: 'PolicyDecision', schema: TestAnswer } },
    unaudited: 'It changes nothing.',
    handler: async ({ body, principal }) => {
      const agent = await findTriedAgent(db, principal.accountId, body);
      const facts: ToolCallFacts = {
        ...readSentTool(body),
        args: body.arguments ?? {},
        ...(agent === undefined ? {} : { agent }),
        user: { id: principal.userId, username: principal.username },
        now: clock.now(),
      };
      const { decision, trace } = await tryCall(deps, principal.accountId, { sent: body.document, facts });
      return {
        status: 200,
        body: {
          decision: decision.decision,
          rule: decision.rule,
          rule_description: decision.ruleDescription,
          condition_matched: decision.conditionMatched,
          condition_error: decision.conditionError,
          workflow: decision.workflow,
          human_only: decision.humanOnly,
          policy_version: decision.policyVersion,
          trace: trace.map(({ conditionValue, ...rule }) => ({ ...rule, condition_value: conditionValue })),
        },
      };
    },
  });
}

/**
 * Returns the agent of the tested call: a registered agent, after resolving merges, or a fictitious one; undefined if
 * the request contains neither.
 * @throws unknown_agent
 */
async function findTriedAgent(
  db: AnyDatabase,
  accountId: string,
  { agent_id: id, agent }: Static<typeof TestBody>,
): Promise<ToolCallFacts['agent']> {
  if (id === undefined) return agent === undefined ? undefined : { id: '', kind: '', name: '', tags: [], ...agent };
  const current = await resolveAgentId(db, { accountId, id });
  const found = current === undefined ? undefined : await findAgent(db, { accountId, id: current });
  if (found === undefined) throw new AppError('unknown_agent', { detail: { field: 'agent_id' } });
  return { id: found.id, kind: found.agentKind, name: found.displayName, tags: [...found.tags], ...agent };
}

/** Decides the call with the policy in force, or with the document in the request, which is a string or an object. */
async function tryCall(
  deps: PoliciesDeps,
  accountId: string,
  { sent, facts }: { readonly sent: unknown; readonly facts: ToolCallFacts },
): Promise<ReturnType<typeof traceDecision>> {
  if (sent !== undefined) {
    const { traced } = await readSentDocument(deps, accountId, sent, facts);
    if (traced === undefined) throw new Error('a valid document was not evaluated');
    return traced;
  }
  const policy = await deps.policies.read(deps.db, accountId);
  return deps.conditionTime.run(accountId, () => traceDecision(policy, facts));
}
