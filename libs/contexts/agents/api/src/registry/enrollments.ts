import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, pageOf, readIdPage, toIdPage, type Route } from '@steward/http';
import {
  enrollAgent,
  listEnrollments,
  resolveAgentId,
  restoreEnrollment,
  validateEnrollment,
  type MoveOutcome,
} from '@steward/agents';
import { recordAudit } from '@steward/audit';
import { requireFound } from '@steward/api';
import {
  AgentParams,
  CreateEnrollmentBody,
  EnrollmentAnswer,
  EnrollmentParams,
  EnrollmentsQuery,
  RestoreBody,
  ValidateBody,
} from './agent-schemas.ts';
import { presentEnrollment } from './present-agent.ts';
import type { RegistryDeps } from './registry-deps.ts';

const ANSWER = { description: 'The enrollment.', name: 'Enrollment', schema: EnrollmentAnswer };
const emitOptions = ({ settings }: RegistryDeps) => ({ maxPendingPerAccount: settings.webhookMaxPendingPerAccount });

export function createEnrollRoute(deps: RegistryDeps): Route {
  return defineRoute({
    operationId: 'createEnrollment',
    method: 'post',
    path: '/api/v1/agents/{agent_id}/enrollments',
    permissions: ['manage_agents'],
    summary:
      'Create an enrollment of an agent. If the enrollment is created with the status `validated`, `agent.onboarded` is emitted.',
    params: AgentParams,
    body: CreateEnrollmentBody,
    bodyExample: { enrollment_type: 'manual', status: 'applied', gateway_routed: true },
    responses: { 201: ANSWER },
    audit: { resourceType: 'agent_enrollment' },
    handler: async ({ params, body, principal: { accountId, userId }, audit, traceparent }) => {
      const input = {
        accountId,
        agentId: params.agent_id,
        enrollmentType: body.enrollment_type,
        adapterKey: body.adapter_key ?? null,
        targetConfigPath: body.target_config_path ?? null,
        status: body.status ?? 'pending',
        isGatewayRouted: body.gateway_routed ?? false,
        isMcpRewritten: body.mcp_rewritten ?? false,
        mcpServerCount: body.mcp_server_count ?? 0,
        candidateId: body.candidate_id ?? null,
        actorUserId: userId,
        now: deps.clock.now(),
      };
      const enrollment = await transact({ ...deps, traceparent }, async (trx, hints) => {
        const outcome = await enrollAgent(trx, hints, input, emitOptions(deps));
        if (outcome.kind === 'not_found') throw new AppError('not_found');
        if (outcome.kind === 'retired') throw new AppError('conflict', { message: 'The agent is retired.' });
        if (outcome.kind === 'unknown_candidate') throw refuseCandidate();
        const { id, agentId, status } = outcome.enrollment;
        await recordAudit(trx, audit({ resourceId: id, details: { agent_id: agentId, status } }));
        return outcome.enrollment;
      });
      return { status: 201, body: presentEnrollment(enrollment) };
    },
  });
}

/** Returns the error for an unknown candidate. A candidate of another account is refused in the same way. */
function refuseCandidate(): AppError {
  return new AppError('invalid_request', {
    message: '"candidate_id" is not a discovery candidate of the account.',
    detail: { field: 'candidate_id' },
  });
}

export function createListEnrollmentsRoute({ db }: Pick<RegistryDeps, 'db'>): Route {
  return defineRoute({
    operationId: 'listEnrollments',
    method: 'get',
    path: '/api/v1/agents/{agent_id}/enrollments',
    permissions: ['view_agents'],
    summary: 'List the enrollments of an agent, newest first.',
    params: AgentParams,
    query: EnrollmentsQuery,
    responses: { 200: { description: 'A page of enrollments.', name: 'Enrollment', schema: pageOf(EnrollmentAnswer) } },
    handler: async ({ params, query, principal: { accountId } }) => {
      const page = readIdPage(query);
      const agentId = requireFound(await resolveAgentId(db, { accountId, id: params.agent_id }));
      const found = await listEnrollments(db, { accountId, agentId, ...page });
      return { status: 200, body: toIdPage(found, page.limit, presentEnrollment) };
    },
  });
}

export function createValidateRoute(deps: RegistryDeps): Route {
  return defineRoute({
    operationId: 'validateEnrollment',
    method: 'post',
    path: '/api/v1/agents/{agent_id}/enrollments/{enrollment_id}/validate',
    permissions: ['manage_agents'],
    summary: 'Report the result of an enrollment check. The first successful check emits `agent.onboarded`.',
    params: EnrollmentParams,
    body: ValidateBody,
    bodyExample: { ok: true, gateway_routed: true, mcp_server_count: 2 },
    responses: { 200: ANSWER },
    audit: { action: 'validate', resourceType: 'agent_enrollment' },
    handler: async ({ params, body, principal: { accountId, userId }, audit, traceparent }) => {
      const key = { accountId, agentId: params.agent_id, id: params.enrollment_id };
      const validation = {
        isOk: body.ok,
        isGatewayRouted: body.gateway_routed,
        isMcpRewritten: body.mcp_rewritten,
        mcpServerCount: body.mcp_server_count,
        message: body.message,
        actorUserId: userId,
        now: deps.clock.now(),
      };
      const enrollment = await transact({ ...deps, traceparent }, async (trx, hints) => {
        const outcome = await validateEnrollment(trx, hints, { key, validation }, emitOptions(deps));
        const { enrollment: moved, isChanged } = requireMoved(outcome);
        if (isChanged)
          await recordAudit(
            trx,
            audit({ resourceId: moved.id, details: { agent_id: moved.agentId, status: moved.status } }),
          );
        return moved;
      });
      return { status: 200, body: presentEnrollment(enrollment) };
    },
  });
}

export function createRestoreRoute(deps: RegistryDeps): Route {
  return defineRoute({
    operationId: 'restoreEnrollment',
    method: 'post',
    path: '/api/v1/agents/{agent_id}/enrollments/{enrollment_id}/restore',
    permissions: ['manage_agents'],
    summary: 'Record that the agent’s configuration was restored, and end the enrollment.',
    params: EnrollmentParams,
    body: RestoreBody,
    bodyOptional: true,
    responses: { 200: ANSWER },
    audit: { action: 'restore', resourceType: 'agent_enrollment' },
    handler: async ({ params, principal: { accountId }, audit }) => {
      const key = { accountId, agentId: params.agent_id, id: params.enrollment_id };
      const enrollment = await transact(deps, async (trx) => {
        const { enrollment: moved, isChanged } = requireMoved(await restoreEnrollment(trx, key, deps.clock.now()));
        if (isChanged) await recordAudit(trx, audit({ resourceId: moved.id, details: { agent_id: moved.agentId } }));
        return moved;
      });
      return { status: 200, body: presentEnrollment(enrollment) };
    },
  });
}

/** Returns the outcome with the enrollment. @throws not_found, conflict if the enrollment was restored */
function requireMoved(outcome: MoveOutcome): Extract<MoveOutcome, { readonly kind: 'moved' }> {
  if (outcome.kind === 'moved') return outcome;
  if (outcome.kind === 'not_found') throw new AppError('not_found');
  throw new AppError('conflict', { message: 'The enrollment was restored. Create a new enrollment.' });
}
