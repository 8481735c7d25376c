import { sql, type SelectQueryBuilder } from 'kysely';

/** Which page of a list of an account is asked for. */
export interface IdPage {
  readonly accountId: string;
  /** The last id of the page before; ids ascend with time. */
  readonly beforeId?: string | undefined;
  readonly limit: number;
}

/** Of a query that is bounded to its account: newest first; one row more than asked for tells whether there is a further page. */
export function pageById<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { beforeId, limit }: Pick<IdPage, 'beforeId' | 'limit'>,
  column = 'id',
): SelectQueryBuilder<DB, TB, Row> {
  const id = sql.ref(column);
  const rest = beforeId === undefined ? query : query.where(sql<boolean>`${id} < ${beforeId}`);
  return rest.orderBy(id, 'desc').limit(limit + 1);
}
