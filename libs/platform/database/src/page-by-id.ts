import { sql, type SelectQueryBuilder } from 'kysely';

/** The requested page of a list of an account. */
export interface IdPage {
  readonly accountId: string;
  /** Last id of the previous page; ids ascend with time. Undefined for the first page. */
  readonly beforeId?: string | undefined;
  readonly limit: number;
}

/**
 * Pages a query that is already limited to its account, newest first; it reads one row more than requested to determine
 * whether there is another page.
 */
export function pageById<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { beforeId, limit }: Pick<IdPage, 'beforeId' | 'limit'>,
  column = 'id',
): SelectQueryBuilder<DB, TB, Row> {
  const id = sql.ref(column);
  const rest = beforeId === undefined ? query : query.where(sql<boolean>`${id} < ${beforeId}`);
  return rest.orderBy(id, 'desc').limit(limit + 1);
}
