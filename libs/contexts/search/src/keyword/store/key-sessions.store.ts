import type { PoolClient } from 'pg';
import { prepared } from '@steward/database';

/**
 * Returns the ids of the sessions with chunks stored by an API key, newest first (the ids are ordered by time), at most
 * `limit`: one index lookup per session, however many chunks it has.
 */
export async function listKeySessions(
  client: PoolClient,
  key: { readonly accountId: string; readonly apiKeyId: string; readonly limit: number },
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    prepared(
      'search.key-sessions',
      `with recursive found (id, place) as (
        (select runtime_session_id, 1 from search.chunk where account_id = $1 and api_key_id = $2
          order by runtime_session_id desc limit 1)
        union all
        select next.id, found.place + 1 from found cross join lateral (
          select runtime_session_id as id from search.chunk
          where account_id = $1 and api_key_id = $2 and runtime_session_id < found.id
          order by runtime_session_id desc limit 1
        ) next
        where found.place < $3::int
      )
      select id from found where $3::int > 0 order by place`,
      [key.accountId, key.apiKeyId, key.limit],
    ),
  );
  return rows.map((row) => row.id);
}
