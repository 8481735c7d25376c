import { type Principal, AppError } from '@steward/contracts';
import type { Static } from '@sinclair/typebox';
import { transact, type AnyTransaction } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { resolveAgentId } from '@steward/agents';
import { findExecution, isTerminal } from '@steward/flows';
import { isAgentOfKey } from '@steward/identity';
import { sendOperatorNote, type NoteAuthor, type NoteTarget } from '@steward/sessions';
import { toStorableText } from '@steward/text';
import { requireFound } from '@steward/api';
import type { SessionWriteDeps } from '../sessions-deps.ts';
import { OperatorNoteAnswer, renderOperatorNote, SendOperatorNoteBody } from './operator-notes-schemas.ts';

/** POST /api/v1/operator-notes: sends a note to a session, to an agent, or to an execution. */
export function createSendOperatorNoteRoute(deps: SessionWriteDeps): Route {
  return defineRoute({
    operationId: 'sendOperatorNote',
    method: 'post',
    path: '/api/v1/operator-notes',
    permissions: ['control_managed_agent'],
    summary: 'Send a note to a session, a managed agent or a flow execution.',
    description:
      'Set exactly one of `runtime_session_id`, `managed_agent_id` and `execution_id`. The note is delivered with the next turn of the agent; if there is no open session, it waits for the next session. A note to a session that has ended is stored but not delivered; for every other note, the event `agent.note_sent` is emitted. One author can send at most 20 notes per hour to one agent; further requests are refused with 429.',
    body: SendOperatorNoteBody,
    bodyExample: {
      runtime_session_id: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b23',
      text: 'Leave the migration for tomorrow.',
    },
    responses: { 201: { description: 'The note.', name: 'OperatorNote', schema: OperatorNoteAnswer } },
    audit: { action: 'create', resourceType: 'operator_note' },
    handler: async ({ body, principal, audit, traceparent }) => {
      const { accountId } = principal;
      const now = deps.clock.now();
      const input = {
        accountId,
        text: body.text,
        author: describeAuthor(principal),
        apiKeyId: principal.apiKeyId,
        expiresAt: readExpiry(body.expires_in_seconds, now),
        now,
      };
      const note = await transact({ ...deps, traceparent }, async (trx, hints) => {
        const target = await findTarget(trx, accountId, body);
        const outcome = await sendOperatorNote(trx, hints, { ...input, target }, deps.options);
        if (outcome.kind === 'not_found') throw refuseUnknownTarget(outcome.missing);
        await recordAudit(
          trx,
          audit({ resourceId: outcome.note.id, details: { runtime_session_id: outcome.note.runtimeSessionId } }),
        );
        return outcome.note;
      });
      return { status: 201, body: renderOperatorNote(note) };
    },
  });
}

/**
 * Returns the recipient of the note.
 * @throws invalid_request, not_found
 */
async function findTarget(
  trx: AnyTransaction,
  accountId: string,
  body: Static<typeof SendOperatorNoteBody>,
): Promise<NoteTarget> {
  const { field, id } = readTarget(body);
  if (field === 'runtime_session_id') return { sessionId: id };
  if (field === 'managed_agent_id') return findAgentTarget(trx, accountId, toStorableText(id));
  const execution = requireFound(await findExecution(trx, accountId, id));
  if (execution.runtime_session_id !== null) return { sessionId: execution.runtime_session_id, executionId: id };
  // An execution that ended before its agent started has no agent that could receive the note.
  if (isTerminal(execution.status))
    throw new AppError('not_found', { message: 'The execution ended before its agent started.' });
  return { executionId: id, managedAgentId: execution.flow_id };
}

/**
 * Returns the agent with this id, and whether it is known: an agent is known if it is registered (also under the id of
 * a merged agent), or if an API key is bound to it.
 */
async function findAgentTarget(trx: AnyTransaction, accountId: string, id: string): Promise<NoteTarget> {
  const registered = await resolveAgentId(trx, { accountId, id });
  if (registered !== undefined) return { managedAgentId: registered, isKnown: true };
  return { managedAgentId: id, isKnown: await isAgentOfKey(trx, { accountId, agentId: id }) };
}

const TARGETS = ['runtime_session_id', 'managed_agent_id', 'execution_id'] as const;

function readTarget(body: Static<typeof SendOperatorNoteBody>) {
  const named = TARGETS.flatMap((field) => {
    const id = body[field] ?? undefined;
    return id === undefined ? [] : [{ field, id }];
  });
  const [target, second] = named;
  if (target !== undefined && second === undefined) return target;
  throw new AppError('invalid_request', {
    message: 'Send exactly one of "runtime_session_id", "managed_agent_id" and "execution_id".',
    detail: { field: second?.field ?? TARGETS[0] },
  });
}

function readExpiry(seconds: number | null | undefined, now: Date): Date | null {
  return seconds === null || seconds === undefined ? null : new Date(now.getTime() + seconds * 1000);
}

function describeAuthor(principal: Principal): NoteAuthor {
  const authMethod = principal.kind === 'api_key' ? 'api_key' : 'token';
  return { userId: principal.userId, display: principal.username, authMethod };
}

function refuseUnknownTarget(missing: 'session' | 'managed_agent'): AppError {
  if (missing === 'session') return new AppError('not_found');
  return new AppError('not_found', {
    message: 'The managed agent is unknown: it has no key and no session.',
  });
}
