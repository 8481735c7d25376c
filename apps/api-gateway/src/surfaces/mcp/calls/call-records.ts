import type { CallToolResult } from '@modelcontextprotocol/server';
import { createTurns, type Clock, type Turns } from '@steward/async';
import { newId } from '@steward/crypto';
import { transact, type AnyDatabase, type HintPublisher, retryDatabase } from '@steward/database';
import { describeActor } from '@steward/http';
import type { Component, Logger } from '@steward/process';
import type { ApprovalRequest } from '@steward/approvals';
import {
  appendSessionContent,
  findContentByExternalId,
  type SessionContent,
  type SessionWriteOptions,
} from '@steward/sessions';
import { toReadableJson, toStorableJson } from '@steward/text';
import type { ToolCall } from '@steward/tool-calls';
import type { AuditQueue } from '@steward/api';
import type { GovernedTool, McpCall } from '../tool.ts';
import type { CallDeps } from './call-deps.ts';
import { createGatherCalls } from './gather-calls.ts';

/** The decision of the policy, or of people, about a call. */
export type CallOutcome = 'allowed' | 'approved' | 'denied' | 'declined';

export interface CallRecord {
  readonly tool: GovernedTool;
  readonly call: McpCall;
  readonly toolCall: ToolCall;
  readonly outcome: CallOutcome;
  readonly ruleId?: string | null;
  readonly request?: ApprovalRequest;
}

interface EndedCall extends CallRecord {
  readonly id: string;
  readonly result: CallToolResult;
  readonly occurredAt: Date;
  readonly durationMs: number;
}

export interface CallRecords extends Component {
  /**
   * Stores the record of a call. The promise resolves at once, unless so many records are waiting to be stored that the
   * caller has to wait, too.
   */
  add(ended: Promise<EndedCall>): Promise<void>;
}

export interface RecordDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly options: SessionWriteOptions;
  readonly searchAudits: AuditQueue;
}

/** Maximum number of database connections for storing calls after their responses. */
const MAX_STORING = 2;
const MAX_WAITING = 200;

/** Creates the component that stores calls after their responses, as content of their sessions and in the audit log. */
export function createCallRecords(deps: RecordDeps): CallRecords {
  const turns = createTurns(MAX_STORING);
  const storing = new Set<Promise<void>>();
  const gather = createGatherCalls<EndedCall>((calls) => storeTogether(deps, turns, calls));
  const store = async (ended: EndedCall, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      deps.logger.error('mcp.call_not_recorded', { request_id: ended.call.caller.requestId, error });
    }
  };
  const storeEnded = async (ended: EndedCall): Promise<void> => {
    const storeContent = () => (isPlain(ended) ? gather(nameTarget(ended), ended) : storeAlone(deps, turns, ended));
    await Promise.all([store(ended, () => audit(deps, ended)), store(ended, storeContent)]);
  };
  return {
    name: 'records of tool calls',
    start: () => Promise.resolve(),
    async stop() {
      while (storing.size > 0) await Promise.all(storing);
    },
    async add(ended) {
      const stored: Promise<void> = ended
        .then(storeEnded)
        .catch((error: unknown) => deps.logger.error('mcp.call_not_recorded', { error }))
        .finally(() => storing.delete(stored));
      storing.add(stored);
      if (storing.size > MAX_WAITING) await Promise.race(storing);
    },
  };
}

/**
 * Makes a call and records how it ended, whatever happens.
 * @param record - May resolve after the call has started; never rejects
 */
export async function recordCall(
  { records, clock }: Pick<CallDeps, 'records' | 'clock'>,
  record: CallRecord | Promise<CallRecord>,
  work: () => Promise<CallToolResult> | CallToolResult,
): Promise<CallToolResult> {
  const occurredAt = clock.now();
  const begun = performance.now();
  const add = (result: CallToolResult): Promise<void> => {
    const ended = { id: newId(), result, occurredAt, durationMs: performance.now() - begun };
    return records.add(Promise.resolve(record).then((known) => ({ ...known, ...ended })));
  };
  try {
    const result = await work();
    await add(result);
    return result;
  } catch (error) {
    await add({ content: [{ type: 'text', text: 'The call failed.' }], isError: true });
    throw error;
  }
}

async function audit({ searchAudits }: RecordDeps, ended: EndedCall): Promise<void> {
  const { tool, call, outcome, result, ruleId = null, request } = ended;
  const { principal, requestId } = call.caller;
  const isRefused = outcome === 'denied' || outcome === 'declined';
  await searchAudits.record({
    accountId: principal.accountId,
    actor: describeActor(principal),
    source: 'mcp',
    action: 'call',
    resourceType: 'tool',
    resourceId: null,
    status: isRefused ? 'denied' : result.isError === true ? 'failure' : 'success',
    details: {
      server: tool.server,
      tool: tool.name,
      decision: outcome,
      rule_id: ruleId,
      approval_request_id: request?.id ?? null,
      duration_ms: Math.round(ended.durationMs),
    },
    requestId,
    occurredAt: ended.occurredAt,
  });
}

/**
 * Maximum difference between the times of a call and of its line in a transcript, which usually differ by minutes at
 * most.
 */
const SAME_WITHIN_MS = 600_000;

function isSameCall(
  stored: Pick<SessionContent, 'toolName' | 'occurredAt'> | undefined,
  { toolName, occurredAt }: { readonly toolName: string; readonly occurredAt: Date },
): boolean {
  if (stored?.toolName?.endsWith(toolName) !== true) return false;
  return Math.abs(stored.occurredAt.getTime() - occurredAt.getTime()) < SAME_WITHIN_MS;
}

/**
 * Returns whether a call can be stored together with others: it has a session, and the agent's transcript cannot
 * contain it.
 */
function isPlain({ call, toolCall }: EndedCall): boolean {
  return call.agentCallId === undefined && toolCall.session !== undefined;
}

/** Returns the key by which calls are grouped; calls with the same key are stored in one transaction. */
function nameTarget({ call, toolCall: { accountId, session } }: EndedCall): string {
  return JSON.stringify([accountId, session?.id, call.caller.principal.apiKeyId]);
}

function storeAlone(deps: RecordDeps, turns: Turns, ended: EndedCall): Promise<void> {
  return retryDatabase(() => turns.run(() => storeContent(deps, [ended])));
}

/**
 * Stores calls together; if that fails, stores each one separately, so that a call that cannot be stored does not
 * affect the others.
 */
async function storeTogether(deps: RecordDeps, turns: Turns, calls: readonly EndedCall[]): Promise<void> {
  try {
    await retryDatabase(() => turns.run(() => storeContent(deps, calls)));
  } catch (error) {
    if (calls.length === 1) throw error;
    await Promise.all(calls.map((ended) => storeAlone(deps, turns, ended)));
  }
}

/** Stores calls of one session; stores nothing if the session could not be opened. */
async function storeContent(deps: RecordDeps, calls: readonly EndedCall[]): Promise<void> {
  const [first] = calls;
  const session = first?.toolCall.session;
  if (first === undefined || session === undefined) return;
  const { call, toolCall } = first;
  const { accountId, traceparent } = toolCall;
  const entries = calls.map(describeEntry);
  const input = {
    accountId,
    sessionId: session.id,
    apiKeyId: call.caller.principal.apiKeyId,
    entries,
    now: deps.clock.now(),
  };
  await transact({ ...deps, traceparent }, async (trx, hints) => {
    const outcome = await appendSessionContent(trx, hints, input, deps.options);
    const [entry] = entries;
    if (outcome.kind === 'not_found' || outcome.stored.length > 0 || call.agentCallId === undefined) return;
    // The transcript was stored first, or the agent reused the id of another call.
    const key = { accountId, sessionId: session.id, externalId: call.agentCallId };
    if (entry === undefined || isSameCall(await findContentByExternalId(trx, key), entry)) return;
    await appendSessionContent(trx, hints, { ...input, entries: [{ ...entry, externalId: first.id }] }, deps.options);
  });
}

function describeEntry({ id, tool, call, outcome, result, occurredAt }: EndedCall) {
  const isRefused = outcome === 'denied' || outcome === 'declined';
  return {
    kind: 'tool_call' as const,
    toolName: tool.server === 'local' ? tool.name : `${tool.server}__${tool.name}`,
    ...toStorableJson({ arguments: toReadableJson(call.arguments), result: toReadableJson(result) }),
    status: isRefused ? outcome : result.isError === true ? ('error' as const) : ('ok' as const),
    externalId: call.agentCallId ?? id,
    occurredAt,
  };
}
