import { quantiles, query, rate, type Board } from '../board.ts';

export const flows: Board = {
  uid: 'steward-flows',
  title: 'Steward: flows',
  description: 'Executions: number waiting, running and ended, and the isolation of agents.',
  rows: [
    {
      title: 'Executions',
      panels: [
        {
          title: 'Waiting and started',
          unit: 'short',
          queries: [
            query('max(steward_executions_waiting)', 'waiting'),
            query('max(steward_executions_leased)', 'begun'),
          ],
        },
        {
          title: 'Longest wait',
          unit: 's',
          description: 'The alert StewardExecutionsWait fires when the value is above five minutes.',
          queries: [query('max(steward_executions_oldest_waiting_seconds)', 'oldest')],
        },
        {
          title: 'Running by worker',
          unit: 'short',
          queries: [query('steward_executions_running', '{{instance}}')],
        },
        {
          title: 'Ended by status',
          unit: 'short',
          queries: [query(rate('steward_executions_finished_total', ['status']), '{{status}}')],
        },
        {
          title: 'Failures by category',
          unit: 'short',
          queries: [
            query(
              rate('steward_executions_finished_total{failure_category!="none"}', ['failure_category']),
              '{{failure_category}}',
            ),
          ],
        },
        {
          title: 'Share of failures',
          unit: 'percentunit',
          queries: [query('steward:executions_failed:ratio_rate15m', 'failed')],
        },
        { title: 'Duration', unit: 's', queries: quantiles('steward_execution_duration_seconds_bucket') },
        {
          title: 'Triggers',
          unit: 'reqps',
          queries: [
            query(
              rate('steward_http_request_duration_seconds_count{route=~"/webhooks/flows/.*"}', ['status']),
              '{{status}}',
            ),
          ],
        },
        {
          title: 'Processed due times',
          unit: 'short',
          queries: [query(rate('steward_due_times_total'), 'due times')],
        },
      ],
    },
    {
      title: 'Separation',
      panels: [
        {
          title: 'Agents isolated from the worker',
          unit: 'short',
          description: '1: separated. 0: agents have all rights of the worker.',
          queries: [query('min by (instance) (steward_agents_apart)', '{{instance}}')],
        },
        {
          title: 'Runs with a separate network',
          unit: 'short',
          queries: [query('min by (instance) (steward_agents_network_apart)', '{{instance}}')],
        },
        {
          title: 'Agents whose hook is not effective',
          unit: 'short',
          queries: [query('max(steward_agents_not_asked)', 'agents')],
        },
      ],
    },
  ],
};
