import type { Permission } from '@steward/contracts';

/** Measures of a series; the first one of a series determines the ranking of its groups. */
export type SeriesMeasure =
  | 'count'
  | 'failed'
  | 'cost_usd'
  | 'input_tokens'
  | 'output_tokens'
  | 'mean_ms'
  | 'p50_ms'
  | 'p95_ms'
  | 'p99_ms'
  | 'size';

interface SeriesDefinition {
  /** Name of the series' route in the OpenAPI document. */
  readonly operationId: string;
  /** Name of the facts from which the series is computed. */
  readonly source: string;
  readonly permission: Permission;
  readonly measures: readonly SeriesMeasure[];
  readonly groups: readonly string[];
  readonly summary: string;
  readonly description: string;
}

const DURATIONS = ['mean_ms', 'p50_ms', 'p95_ms', 'p99_ms'] as const;
const CALL_GROUPS = ['model', 'agent', 'key', 'flow', 'person', 'result'];

export const SERIES = {
  sessions: {
    operationId: 'readSessionStats',
    source: 'session',
    permission: 'view_runtime_sessions',
    measures: ['count'],
    groups: ['source', 'agent', 'key', 'flow'],
    summary: 'Read how many sessions started over time.',
    description: 'Sessions are counted when they started.',
  },
  model_calls: {
    operationId: 'readModelCallStats',
    source: 'model_call',
    permission: 'view_cost',
    measures: ['count', 'failed', 'input_tokens', 'output_tokens'],
    groups: CALL_GROUPS,
    summary: 'Read how many model calls were made over time.',
    description: 'Refused calls are counted; `failed` are those with the status `error`.',
  },
  spend: {
    operationId: 'readSpendStats',
    source: 'model_call',
    permission: 'view_cost',
    measures: ['cost_usd', 'count'],
    groups: CALL_GROUPS,
    summary: 'Read what model calls cost over time.',
    description:
      'The sum of the costs of the calls that `GET /usage` lists; calls with an unknown price are not included.',
  },
  tool_calls: {
    operationId: 'readToolCallStats',
    source: 'tool_call',
    permission: 'view_runtime_sessions',
    measures: ['count', 'failed'],
    groups: ['tool', 'agent', 'key', 'result'],
    summary: 'Read how many tool calls were recorded over time.',
    description: '`failed` counts the calls that were denied, were declined or ended with an error.',
  },
  deliveries: {
    operationId: 'readDeliveryStats',
    source: 'delivery',
    permission: 'view_policies',
    measures: ['count', 'failed'],
    groups: ['endpoint', 'type', 'result'],
    summary: 'Read how many webhook deliveries ended over time.',
    description: 'Deliveries are counted when they were delivered, became dead (`failed`) or were cancelled.',
  },
  delivery_latency: {
    operationId: 'readDeliveryLatencyStats',
    source: 'delivery',
    permission: 'view_policies',
    measures: ['p95_ms', 'p50_ms', 'p99_ms', 'mean_ms', 'count', 'failed'],
    groups: ['endpoint', 'type'],
    summary: 'Read how long deliveries took over time.',
    description:
      'Durations of successful deliveries, from the event to its acceptance by the receiver, including retries.',
  },
  approvals: {
    operationId: 'readApprovalStats',
    source: 'approval',
    permission: 'view_approvals',
    measures: ['count'],
    groups: ['tool', 'agent', 'workflow', 'person'],
    summary: 'Read how many approvals were requested over time.',
    description: 'Requests are counted when they were created; `person` is the person whose credential was used.',
  },
  approval_decisions: {
    operationId: 'readApprovalDecisionStats',
    source: 'approval_end',
    permission: 'view_approvals',
    measures: ['count', 'failed', ...DURATIONS],
    groups: ['result', 'tool', 'workflow'],
    summary: 'Read how approval requests ended over time, and how long they were pending.',
    description:
      'Requests are counted when they ended; `failed` are those that were not approved. Durations are from request to decision, expiry or cancellation.',
  },
  executions: {
    operationId: 'readExecutionStats',
    source: 'execution',
    permission: 'view_flows',
    measures: ['count', 'failed', ...DURATIONS],
    groups: ['flow', 'result', 'trigger'],
    summary: 'Read how executions ended over time, and how long they ran.',
    description:
      'Executions are counted when they ended; `failed` are those with the status `FAILED`. Durations are from start to end.',
  },
  search_corpus: {
    operationId: 'readSearchCorpusStats',
    source: 'chunk',
    permission: 'view_runtime_sessions',
    measures: ['size', 'count'],
    groups: ['kind'],
    summary: 'Read the size of the search corpus over time.',
    description: '`size` is the number of chunks at the end of each step, `count` the increase during the step.',
  },
} as const satisfies Readonly<Record<string, SeriesDefinition>>;

export type SeriesName = keyof typeof SERIES;

export const SERIES_NAMES = Object.keys(SERIES) as SeriesName[];
