import type { Permission, SeriesMeasure } from '../../api/answers.ts';

export interface ChartOf {
  readonly title: string;
  /**
   * Name of the series in the API; set if it differs from the name of the chart, because several charts show the
   * series.
   */
  readonly series?: string;
  readonly permission: Permission;
  readonly measure: SeriesMeasure;
  readonly groups: readonly string[];
  /** Whether values are stacked as bars, or drawn as separate lines. */
  readonly shape: 'bars' | 'lines';
  /** Text that is shown when there is no data. */
  readonly empty: string;
}

/**
 * Charts by name, in the order in which they are offered. Unless `series` is set, the name is that of the series in the
 * API.
 */
export const CHARTS = {
  spend: {
    title: 'Spend on models',
    permission: 'view_cost',
    measure: 'cost_usd',
    groups: ['model', 'agent', 'key', 'flow', 'person', 'result'],
    shape: 'bars',
    empty: 'No spend is known for this period. Point an agent at the model gateway to see what it spends.',
  },
  model_calls: {
    title: 'Model calls',
    permission: 'view_cost',
    measure: 'count',
    groups: ['model', 'agent', 'key', 'flow', 'person', 'result'],
    shape: 'bars',
    empty: 'No model was called in this period. Point an agent at the model gateway to see its calls.',
  },
  sessions: {
    title: 'Sessions started',
    permission: 'view_runtime_sessions',
    measure: 'count',
    groups: ['source', 'agent', 'key', 'flow'],
    shape: 'bars',
    empty: 'No session started in this period. Agents store sessions through the API, the gateway or an import.',
  },
  tool_calls: {
    title: 'Tool calls',
    permission: 'view_runtime_sessions',
    measure: 'count',
    groups: ['tool', 'agent', 'key', 'result'],
    shape: 'bars',
    empty: 'No tool was called in this period.',
  },
  approvals: {
    title: 'Approvals requested',
    permission: 'view_approvals',
    measure: 'count',
    groups: ['tool', 'agent', 'workflow', 'person'],
    shape: 'bars',
    empty: 'No approval was requested in this period. A policy decides which calls need approval.',
  },
  approval_decisions: {
    title: 'Approvals decided',
    permission: 'view_approvals',
    measure: 'count',
    groups: ['result', 'tool', 'workflow'],
    shape: 'bars',
    empty: 'No approval request ended in this period.',
  },
  deliveries: {
    title: 'Deliveries',
    permission: 'view_policies',
    measure: 'count',
    groups: ['endpoint', 'type', 'result'],
    shape: 'bars',
    empty: 'No delivery ended in this period. Add an endpoint to have events delivered.',
  },
  delivery_latency: {
    title: 'Time to delivery (95th percentile)',
    permission: 'view_policies',
    measure: 'p95_ms',
    groups: ['endpoint', 'type'],
    shape: 'lines',
    empty: 'Nothing was delivered in this period.',
  },
  executions: {
    title: 'Executions',
    permission: 'view_flows',
    measure: 'count',
    groups: ['result', 'flow', 'trigger'],
    shape: 'bars',
    empty: 'No execution ended in this period. A flow runs when it is triggered.',
  },
  execution_duration: {
    title: 'Duration of executions (95th percentile)',
    series: 'executions',
    permission: 'view_flows',
    measure: 'p95_ms',
    groups: ['flow', 'result', 'trigger'],
    shape: 'lines',
    empty: 'No execution ended in this period, so there are no durations.',
  },
  search_corpus: {
    title: 'Search corpus (chunks)',
    permission: 'view_runtime_sessions',
    measure: 'size',
    groups: ['kind'],
    shape: 'lines',
    empty: 'No content is searchable yet. Content is indexed as it is stored.',
  },
} as const satisfies Readonly<Record<string, ChartOf>>;

export type ChartName = keyof typeof CHARTS;

export const GROUP_WORDS: Readonly<Record<string, string>> = {
  model: 'Model',
  agent: 'Agent',
  key: 'API key',
  flow: 'Flow',
  person: 'Person',
  result: 'Result',
  source: 'Source',
  tool: 'Tool',
  workflow: 'Approval workflow',
  endpoint: 'Endpoint',
  type: 'Event type',
  trigger: 'Trigger',
  kind: 'Kind of content',
};

export const MEASURE_WORDS: Readonly<Record<SeriesMeasure, string>> = {
  count: 'Number',
  failed: 'Failed',
  cost_usd: 'Cost',
  input_tokens: 'Tokens in',
  output_tokens: 'Tokens out',
  mean_ms: 'Mean',
  p50_ms: 'Median',
  p95_ms: '95th percentile',
  p99_ms: '99th percentile',
  size: 'Size',
};

/** Returns the name that the API uses for the series of a chart. */
export function readSeriesName(name: ChartName): string {
  const { series }: ChartOf = CHARTS[name];
  return series ?? name;
}

export const isChart = (text: string | undefined): text is ChartName =>
  text !== undefined && Object.hasOwn(CHARTS, text);

export function listCharts(permissions: readonly Permission[]): ChartName[] {
  return (Object.keys(CHARTS) as ChartName[]).filter((name) => permissions.includes(CHARTS[name].permission));
}
