import type { AuditRecord } from '@steward/http';
import type { SearchDeps } from './search-deps.ts';

/** The row of a question. The answer stands without it; a question that left no trace is something a person has to look at. */
export async function recordQuestion(
  { searchAudits, logger }: Pick<SearchDeps, 'searchAudits' | 'logger'>,
  row: AuditRecord,
): Promise<void> {
  try {
    await searchAudits.record(row);
  } catch (error) {
    logger.error('search.audit_failed', { request_id: row.requestId, error });
  }
}
