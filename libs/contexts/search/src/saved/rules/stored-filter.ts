import type { ChunkFilter } from '../../keyword/chunk-filter.ts';

/** Filters that users can set; merged agents and the session of the caller are determined when the search runs. */
type StoredKey = Exclude<keyof ChunkFilter, 'mergedPrincipalIds' | 'exceptSessionId'>;

const NAMES = {
  startDate: 'start_date',
  endDate: 'end_date',
  sourceKind: 'source_kind',
  modelAlias: 'model_alias',
  providerName: 'provider_name',
  runtimePrincipalId: 'runtime_principal_id',
  apiKeyId: 'api_key_id',
  flowId: 'flow_id',
  sessionId: 'session_id',
  role: 'role',
  toolName: 'tool_name',
  status: 'status',
  sessionSourceType: 'session_source_type',
  label: 'label',
} as const satisfies Record<StoredKey, string>;

export type StoredFilter = Readonly<Partial<Record<(typeof NAMES)[StoredKey], string>>>;

/** Returns the stored form of a filter: only keys with a value, with names in snake case; times are strings. */
export function writeStoredFilter(filter: ChunkFilter): StoredFilter {
  const entries = (Object.keys(NAMES) as StoredKey[]).flatMap((key) => {
    const value = filter[key];
    return value === undefined ? [] : [[NAMES[key], value instanceof Date ? value.toISOString() : value]];
  });
  return Object.fromEntries(entries) as StoredFilter;
}

export function readStoredFilter(stored: StoredFilter): ChunkFilter {
  const time = (text: string | undefined): Date | undefined => (text === undefined ? undefined : new Date(text));
  return {
    startDate: time(stored.start_date),
    endDate: time(stored.end_date),
    sourceKind: stored.source_kind as ChunkFilter['sourceKind'],
    modelAlias: stored.model_alias,
    providerName: stored.provider_name,
    runtimePrincipalId: stored.runtime_principal_id,
    apiKeyId: stored.api_key_id,
    flowId: stored.flow_id,
    sessionId: stored.session_id,
    role: stored.role,
    toolName: stored.tool_name,
    status: stored.status,
    sessionSourceType: stored.session_source_type,
    label: stored.label,
  };
}
