import { query, rate, type Board } from '../board.ts';

export const queues: Board = {
  uid: 'steward-queues',
  title: 'Steward: queues and lag',
  description:
    'Messages of the broker, and work that waits in the database. Messages are hints: a lost message only causes a delay.',
  rows: [
    {
      title: 'Lag',
      panels: [
        {
          title: 'Waiting messages',
          unit: 'short',
          queries: [query('max by (message) (steward_messages_waiting)', '{{message}}')],
        },
        {
          title: 'Messages being handled',
          unit: 'short',
          queries: [query('max by (message) (steward_messages_unacknowledged)', '{{message}}')],
        },
        {
          title: 'Longest wait in the database',
          unit: 's',
          queries: [
            query('max(steward_webhook_oldest_due_seconds)', 'delivery'),
            query('max(steward_executions_oldest_waiting_seconds)', 'execution'),
            query('max(steward_embedding_oldest_due_seconds)', 'embedding'),
          ],
        },
        {
          title: 'Lag of the replica for reads',
          unit: 's',
          queries: [query('max(steward_replica_lag_seconds)', 'replica')],
        },
        {
          title: 'Waiting in the database',
          unit: 'short',
          queries: [
            query('max(steward_webhook_pending_deliveries)', 'deliveries'),
            query('max(steward_executions_waiting)', 'executions'),
            query('max(steward_backfill_sessions_left)', 'sessions of history'),
          ],
        },
      ],
    },
    {
      title: 'Messages',
      panels: [
        {
          title: 'Handled by outcome',
          unit: 'short',
          queries: [query(rate('steward_messages_handled_total', ['message', 'outcome']), '{{message}} {{outcome}}')],
        },
        {
          title: 'Published by result',
          unit: 'short',
          queries: [query(rate('steward_messages_published_total', ['message', 'result']), '{{message}} {{result}}')],
        },
        {
          title: 'Not published',
          unit: 'short',
          queries: [query(rate('steward_message_publish_failures_total', ['message']), '{{message}}')],
        },
      ],
    },
  ],
};
