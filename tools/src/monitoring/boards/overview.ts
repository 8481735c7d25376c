import { quantiles, query, rate, type Board } from '../board.ts';

const REQUESTS = 'steward_http_request_duration_seconds';

export const overview: Board = {
  uid: 'steward-overview',
  title: 'Steward: overview',
  description: 'Health of the suite: requests, errors, processes, the database.',
  rows: [
    {
      title: 'Requests',
      panels: [
        {
          title: 'Requests by status',
          unit: 'reqps',
          queries: [query(rate(`${REQUESTS}_count`, ['status']), '{{status}}')],
        },
        {
          title: 'Failed requests',
          unit: 'percentunit',
          description: 'Share of responses with a 5xx status. The alert StewardApiErrors fires above 1 %.',
          queries: [query('steward:http_errors:ratio_rate5m', 'failed')],
        },
        { title: 'Duration', unit: 's', queries: quantiles(`${REQUESTS}_bucket`) },
        {
          title: 'Slowest routes (p95)',
          unit: 's',
          queries: [query('topk(10, steward:http_request_duration_seconds:p95_5m)', '{{route}}')],
        },
        {
          title: 'Open requests',
          unit: 'short',
          queries: [query('sum by (kind) (steward_open_requests)', '{{kind}}')],
        },
        {
          title: 'Requests refused by a limit',
          unit: 'reqps',
          queries: [query(rate('steward_open_requests_refused_total', ['limit']), '{{limit}}')],
        },
      ],
    },
    {
      title: 'Processes',
      panels: [
        {
          title: 'Processes',
          unit: 'short',
          queries: [query('count by (service) (process_start_time_seconds{service!=""})', '{{service}}')],
        },
        {
          title: 'Processor time',
          unit: 'short',
          description: 'Cores in use.',
          queries: [query(rate('process_cpu_seconds_total{service!=""}', ['service']), '{{service}}')],
        },
        {
          title: 'Memory',
          unit: 'bytes',
          queries: [query('max by (service) (process_resident_memory_bytes{service!=""})', '{{service}}')],
        },
        {
          title: 'Event loop lag (p99)',
          unit: 's',
          queries: [query('max by (service) (nodejs_eventloop_lag_p99_seconds{service!=""})', '{{service}}')],
        },
        {
          title: 'Database connections in use',
          unit: 'percentunit',
          queries: [
            query(
              'max by (service) (steward_database_connections{state="used"} / on (service, instance) steward_database_connections_max)',
              '{{service}}',
            ),
          ],
        },
        {
          title: 'Waiting for a database connection',
          unit: 'short',
          queries: [query('max by (service) (steward_database_connection_waiters)', '{{service}}')],
        },
      ],
    },
  ],
};
