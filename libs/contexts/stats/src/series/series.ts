import type { Permission } from '@steward/contracts';

/** Measures of a series. The groups of the series `spend` are ranked by cost, those of all others by count. */
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
    summary: 'Read the number of started sessions over time.',
    description: 'A session is counted at the time at which it started.',
  },
  model_calls: {
    operationId: 'readModelCallStats',
    source: 'model_call',
    permission: 'view_cost',
    measures: ['count', 'failed', 'input_tokens', 'output_tokens'],
    groups: CALL_GROUPS,
    summary: 'Read the numbers of model calls and of their tokens over time.',
    description: 'Refused calls are counted, too; `failed` is the number of calls with the status `error`.',
  },
  spend: {
    operationId: 'readSpendStats',
    source: 'model_call',
    permission: 'view_cost',
    measures: ['cost_usd', 'count'],
    groups: CALL_GROUPS,
    summary: 'Read the cost of model calls over time.',
    description:
      '`cost_usd` is the sum of the costs of the calls that `GET /api/v1/usage` lists; calls with an unknown price add nothing to it.',
  },
  tool_calls: {
    operationId: 'readToolCallStats',
    source: 'tool_call',
    permission: 'view_runtime_sessions',
    measures: ['count', 'failed'],
    groups: ['tool', 'agent', 'key', 'result'],
    summary: 'Read the number of recorded tool calls over time.',
    description: '`failed` counts the calls that were denied, were declined or ended with an error.',
  },
  deliveries: {
    operationId: 'readDeliveryStats',
    source: 'delivery',
    permission: 'view_policies',
    measures: ['count', 'failed'],
    groups: ['endpoint', 'type', 'result'],
    summary: 'Read the number of finished webhook deliveries over time.',
    description:
      'A delivery is counted at the time at which it was delivered, became dead (counted in `failed`) or was cancelled.',
  },
  delivery_latency: {
    operationId: 'readDeliveryLatencyStats',
    source: 'delivery',
    permission: 'view_policies',
    measures: ['p95_ms', 'p50_ms', 'p99_ms', 'mean_ms', 'count', 'failed'],
    groups: ['endpoint', 'type'],
    summary: 'Read the durations of webhook deliveries over time.',
    description:
      'The durations are those of successful deliveries, from the creation of the delivery to its acceptance by the receiver, including retries.',
  },
  approvals: {
    operationId: 'readApprovalStats',
    source: 'approval',
    permission: 'view_approvals',
    measures: ['count'],
    groups: ['tool', 'agent', 'workflow', 'person'],
    summary: 'Read the number of approval requests over time.',
    description:
      'A request is counted at the time at which it was created; `person` is the owner of the credential with which the request was created.',
  },
  approval_decisions: {
    operationId: 'readApprovalDecisionStats',
    source: 'approval_end',
    permission: 'view_approvals',
    measures: ['count', 'failed', ...DURATIONS],
    groups: ['result', 'tool', 'workflow'],
    summary: 'Read the outcomes of approval requests over time, and how long the requests were pending.',
    description:
      'A request is counted at the time of its decision, expiry or cancellation; `failed` is the number of requests that were not approved. Durations are measured from the creation of a request to its decision, expiry or cancellation.',
  },
  executions: {
    operationId: 'readExecutionStats',
    source: 'execution',
    permission: 'view_flows',
    measures: ['count', 'failed', ...DURATIONS],
    groups: ['flow', 'result', 'trigger'],
    summary: 'Read the outcomes and durations of executions over time.',
    description:
      'An execution is counted at the time at which it ended; `failed` is the number of executions with the status `FAILED`. Durations are measured from the start of an execution to its end.',
  },
  search_corpus: {
    operationId: 'readSearchCorpusStats',
    source: 'chunk',
    permission: 'view_runtime_sessions',
    measures: ['size', 'count'],
    groups: ['kind'],
    summary: 'Read the size of the search corpus over time.',
    description: '`size` is the number of chunks at the end of each step; `count` is the increase during the step.',
  },
} as const satisfies Readonly<Record<string, SeriesDefinition>>;

export type SeriesName = keyof typeof SERIES;

export const SERIES_NAMES = Object.keys(SERIES) as SeriesName[];
