import type { ChunkFilter } from '../../keyword/chunk-filter.ts';
import type { IdentifiedSession } from '../search-ports.ts';

/** Returns whether a filter applies to chunks; such a filter excludes sessions that were found without a chunk. */
export function asksForChunks(filter: ChunkFilter): boolean {
  const { sourceKind, modelAlias, providerName, role, status, toolName } = filter;
  return [sourceKind, modelAlias, providerName, role, status, toolName].some((value) => value !== undefined);
}

/** Returns whether a session found by an identifier fits the filter; it must have been active in the time range. */
export function fitsFilter(session: IdentifiedSession, filter: ChunkFilter): boolean {
  const { startDate, endDate, sessionId, exceptSessionId, flowId, apiKeyId, label, sessionSourceType } = filter;
  const { runtimePrincipalId, mergedPrincipalIds = [] } = filter;
  if (startDate !== undefined && session.lastActivityAt < startDate) return false;
  if (endDate !== undefined && session.startedAt >= endDate) return false;
  const fits = (wanted: string | undefined, value: string | null): boolean =>
    wanted === undefined || wanted.toLowerCase() === value;
  return (
    fits(sessionId, session.id) &&
    exceptSessionId !== session.id &&
    fits(flowId, session.flowId) &&
    fits(apiKeyId, session.apiKeyId) &&
    (runtimePrincipalId === undefined ||
      [runtimePrincipalId, ...mergedPrincipalIds].some((id) => id === session.runtimePrincipalId)) &&
    (sessionSourceType === undefined || sessionSourceType === session.sessionSourceType) &&
    (label === undefined || session.labels.includes(label))
  );
}
