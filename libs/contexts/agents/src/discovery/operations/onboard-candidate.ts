import type { AnyTransaction } from '@steward/database';
import type { Agent, AgentKey } from '../../registry/agent.ts';
import { registerAgent, type NewAgent } from '../../registry/operations/register-agent.ts';
import type { Candidate } from '../candidate.ts';
import { lockCandidate, updateCandidate } from '../store/candidate.store.ts';

export type CandidateRefusal =
  { readonly kind: 'not_found' } | { readonly kind: 'onboarded'; readonly agentId: string };

/** Creates an agent in the registry from a candidate, once. */
export async function onboardCandidate(
  trx: AnyTransaction,
  key: AgentKey,
  input: Pick<NewAgent, 'ownerUserId' | 'tags' | 'now'> & { readonly displayName: string | undefined },
): Promise<CandidateRefusal | { readonly kind: 'registered'; readonly agent: Agent }> {
  const candidate = await lockCandidate(trx, key);
  if (candidate === undefined) return { kind: 'not_found' };
  const { agentKind, workstationFingerprint, agentId } = candidate;
  if (agentId !== null) return { kind: 'onboarded', agentId };
  const agent = await registerAgent(trx, {
    ...input,
    accountId: key.accountId,
    agentKind,
    displayName: input.displayName ?? `${agentKind} on ${workstationFingerprint.slice(0, 8)}`,
    source: undefined,
    enrolledVia: 'discovery',
  });
  if (agent === undefined) throw new Error('an agent without a source matched an existing agent');
  await updateCandidate(trx, key, { status: 'onboarded', agentId: agent.id });
  return { kind: 'registered', agent };
}

/** Marks a candidate as new or ignored. An ignored candidate stays ignored, however often it is reported. */
export async function markCandidate(
  trx: AnyTransaction,
  key: AgentKey,
  status: 'new' | 'ignored',
): Promise<CandidateRefusal | { readonly kind: 'marked'; readonly candidate: Candidate }> {
  const candidate = await lockCandidate(trx, key);
  if (candidate === undefined) return { kind: 'not_found' };
  if (candidate.agentId !== null) return { kind: 'onboarded', agentId: candidate.agentId };
  return { kind: 'marked', candidate: await updateCandidate(trx, key, { status, agentId: null }) };
}
