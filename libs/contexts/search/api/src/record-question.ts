import type { AuditRecord } from '@steward/http';
import type { SearchDeps } from './search-deps.ts';

/**
 * Writes the audit row of a request for similar sessions or credential sightings. The response is sent even if this
 * fails; the error is logged, because a missing audit row needs attention.
 */
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
