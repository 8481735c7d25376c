import { quantiles, query, rate, type Board } from '../board.ts';

const ROUTE = 'route="/api/v1/runtime-sessions/search"';

export const search: Board = {
  uid: 'steward-search',
  title: 'Steward: search',
  description: 'Searches, the search corpus, and embedding.',
  rows: [
    {
      title: 'Searches',
      panels: [
        {
          title: 'Searches by status',
          unit: 'reqps',
          queries: [query(rate(`steward_http_request_duration_seconds_count{${ROUTE}}`, ['status']), '{{status}}')],
        },
        {
          title: 'Duration',
          unit: 's',
          description: 'The alert StewardSearchSlow fires when p95 is above 0.5 s.',
          queries: quantiles(`steward_http_request_duration_seconds_bucket{${ROUTE}}`),
        },
      ],
    },
    {
      title: 'Corpus',
      panels: [
        {
          title: 'Chunks written',
          unit: 'short',
          queries: [query(rate('steward_chunks_written_total'), 'chunks per second')],
        },
        {
          title: 'Pages moved into the indexes',
          unit: 'short',
          description: 'Without this, all searches read the pending lists.',
          queries: [query(rate('steward_search_pending_pages_flushed_total'), 'pages per second')],
        },
        {
          title: 'History',
          unit: 'short',
          queries: [
            query('max(steward_backfill_sessions_left)', 'sessions left'),
            query(rate('steward_backfill_rows_total'), 'chunks per second'),
          ],
        },
        {
          title: 'Passes over history',
          unit: 's',
          queries: quantiles('steward_backfill_pass_duration_seconds_bucket'),
        },
        {
          title: 'Rows rewritten',
          unit: 'short',
          queries: [
            query(rate('steward_remask_rows_total'), 'masked again'),
            query(rate('steward_reindex_rows_total'), 'indexed again'),
          ],
        },
        {
          title: 'Deleted',
          unit: 'short',
          queries: [
            query(rate('steward_session_purge_rows_total'), 'rows of deleted sessions'),
            query(rate('steward_session_expired_total'), 'sessions by age'),
            query(rate('steward_search_expired_chunks_total'), 'chunks by age'),
          ],
        },
      ],
    },
    {
      title: 'Embedding',
      panels: [
        {
          title: 'Calls by result',
          unit: 'reqps',
          queries: [query(rate('steward_embedding_call_duration_seconds_count', ['result']), '{{result}}')],
        },
        {
          title: 'Duration of calls',
          unit: 's',
          queries: quantiles('steward_embedding_call_duration_seconds_bucket'),
        },
        {
          title: 'Chunks',
          unit: 'short',
          queries: [
            query(rate('steward_embedding_chunks_total'), 'embedded'),
            query(rate('steward_embedding_chunks_set_aside_total'), 'set aside'),
          ],
        },
        {
          title: 'Longest wait of an account',
          unit: 's',
          queries: [query('max(steward_embedding_oldest_due_seconds)', 'oldest')],
        },
        {
          title: 'Spent on embedding in an hour',
          unit: 'currencyUSD',
          queries: [query('sum(increase(steward_embedding_spent_usd_total[1h]))', 'US dollars')],
        },
        {
          title: 'Calls running',
          unit: 'short',
          queries: [query('sum(steward_embedding_calls_running)', 'calls')],
        },
      ],
    },
  ],
};
