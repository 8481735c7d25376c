import { quantiles, query, rate, type Board } from '../board.ts';

const ATTEMPTS = 'steward_webhook_attempts_total';

export const deliveries: Board = {
  uid: 'steward-deliveries',
  title: 'Steward: deliveries',
  description: 'Delivery of events to their receivers, and its delay.',
  rows: [
    {
      title: 'Attempts',
      panels: [
        { title: 'Attempts by result', unit: 'reqps', queries: [query(rate(ATTEMPTS, ['result']), '{{result}}')] },
        {
          title: 'Failed attempts by class',
          unit: 'reqps',
          queries: [query(rate(`${ATTEMPTS}{error_class!="none"}`, ['error_class']), '{{error_class}}')],
        },
        {
          title: 'Share of failed attempts',
          unit: 'percentunit',
          queries: [query('steward:webhook_attempts_failed:ratio_rate5m', 'failed')],
        },
        {
          title: 'Time from the event to the 2xx response of the receiver',
          unit: 's',
          queries: quantiles('steward_webhook_publish_to_delivered_seconds_bucket'),
        },
        {
          title: 'Duration of an attempt',
          unit: 's',
          queries: quantiles('steward_webhook_attempt_duration_seconds_bucket'),
        },
        {
          title: 'Posts running',
          unit: 'short',
          description: 'At WEBHOOK_DELIVERY_CONCURRENCY all slots of a process are used.',
          queries: [query('steward_webhook_posts_running', '{{instance}}')],
        },
      ],
    },
    {
      title: 'Outbox',
      panels: [
        {
          title: 'Oldest due delivery',
          unit: 's',
          description: 'The alert StewardDeliveriesLate fires when the value is above one minute.',
          queries: [query('max(steward_webhook_oldest_due_seconds)', 'oldest')],
        },
        {
          title: 'Undelivered',
          unit: 'short',
          queries: [query('max(steward_webhook_pending_deliveries)', 'deliveries')],
        },
        {
          title: 'Fullest outboxes',
          unit: 'percentunit',
          queries: [query('topk(10, max by (account_id) (steward_webhook_outbox_fill_ratio))', '{{account_id}}')],
        },
        {
          title: 'Refused events and accounts with a full outbox',
          unit: 'short',
          description: 'An event that was refused is lost.',
          queries: [
            query('max(increase(steward_webhook_refused_events_total[1h]))', 'events in the last hour'),
            query('max(steward_webhook_refusing_accounts)', 'accounts now'),
          ],
        },
        {
          title: 'Endpoints by breaker state',
          unit: 'short',
          queries: [query('max by (state) (steward_webhook_breakers)', '{{state}}')],
        },
        {
          title: 'Breaker transitions',
          unit: 'short',
          queries: [query(rate('steward_webhook_breaker_moves_total', ['to']), 'to {{to}}')],
        },
        {
          title: 'Recoveries',
          unit: 'short',
          queries: [
            query('max(steward_webhook_recoveries_running)', 'running'),
            query('max(steward_webhook_recovery_remaining_deliveries)', 'deliveries left'),
          ],
        },
        {
          title: 'Clock difference to the database',
          unit: 's',
          description: 'Receivers refuse signatures if the difference exceeds 300 s.',
          isSigned: true,
          queries: [query('steward_webhook_clock_skew_seconds', '{{instance}}')],
        },
      ],
    },
  ],
};
