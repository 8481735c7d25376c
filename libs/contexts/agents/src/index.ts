/**
 * Agents context: the agents of an account (`registry`), how each was connected to the service (`enrollments`), and
 * reports of workstations (`discovery`).
 *
 * Not here: HTTP, keys that act as an agent (the identity context), notes to an agent (the sessions context), the
 * effects in all contexts when an agent is suspended, retired or merged (a use case). Used by, among others: the agents
 * API; the use case that changes and merges agents; other APIs, which look up agents.
 */
export { agentsMigrations } from '../migrations/index.ts';
export { findWarnings } from './registry/rules/find-warnings.ts';
export { LIFECYCLE_STATES, REGISTRATION_METHODS, type Agent, type AgentKey } from './registry/agent.ts';
export { mergeAgents, type MergeOutcome } from './registry/operations/merge-agents.ts';
export { registerAgent } from './registry/operations/register-agent.ts';
export { updateAgent, type AgentUpdate, type UpdateAgentOutcome } from './registry/operations/update-agent.ts';
export {
  countSilentAgents,
  findAgent,
  listAgentIds,
  listIdsMergedInto,
  listAgents,
  lockAgent,
  noteAgentActivity,
  resolveAgentId,
  type AgentActivity,
} from './registry/store/agent.store.ts';
export { ENROLLMENT_STATUSES, FIRST_STATUSES, type Enrollment } from './enrollments/enrollment.ts';
export { enrollAgent } from './enrollments/operations/enroll-agent.ts';
export { restoreEnrollment, validateEnrollment, type MoveOutcome } from './enrollments/operations/move-enrollment.ts';
export { findLatestEnrollments, listEnrollments } from './enrollments/store/enrollment.store.ts';
export { CANDIDATE_STATUSES, OS_FAMILIES, type Candidate } from './discovery/candidate.ts';
export { markCandidate, onboardCandidate, type CandidateRefusal } from './discovery/operations/onboard-candidate.ts';
export { purgeCandidates } from './discovery/operations/purge-candidates.ts';
export { reportAgents } from './discovery/operations/report-agents.ts';
export { listCandidates } from './discovery/store/candidate.store.ts';
export {
  findOrInsertSalt,
  isDiscoveryEnabled,
  setDiscoveryEnabled,
} from './discovery/store/discovery-setting.store.ts';
