import { queryOptions } from '@tanstack/react-query';
import type { AuditPage } from '../api/answers.ts';
import { read } from '../api/request.ts';
import type { Texts } from '../search-text.ts';
import { accountKey } from './query-client.ts';

export const AUDIT_KEYS = ['action', 'type', 'status', 'from', 'to', 'cursor'] as const;
export type AuditParams = Texts<(typeof AUDIT_KEYS)[number]>;

export const auditQuery = ({ action, type, status, from, to, cursor }: AuditParams) => {
  const query = { action, resource_type: type, status, since: from, until: to, cursor };
  return queryOptions({
    queryKey: accountKey('audit', query),
    queryFn: read<AuditPage>('/api/v1/audit-log', query),
  });
};
