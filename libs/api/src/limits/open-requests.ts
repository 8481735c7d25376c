import type { Metrics } from '@steward/process';
import { createWaitingPlaces, type WaitingPlaces, type WaitingPlacesOptions } from './waiting-places.ts';

/** The slots of this process for everything that keeps a request open (docs/contract/limits.md). */
export interface OpenRequests {
  /** Streams of logs, and requests that wait for an execution or an approval. */
  readonly waits: WaitingPlaces;
  readonly exports: WaitingPlaces;
  readonly downloads: WaitingPlaces;
  readonly imports: WaitingPlaces;
  readonly traces: WaitingPlaces;
  readonly toolRequests: WaitingPlaces;
  readonly toolStreams: WaitingPlaces;
  readonly listeners: WaitingPlaces;
  readonly modelCalls: WaitingPlaces;
  /**
   * Requests that make the service call an external server: tests of models and trackers, logins to tool servers and
   * refreshes of their tools, and registrations of hooks.
   */
  readonly trials: WaitingPlaces;
}

export interface OpenRequestsDeps {
  readonly settings: {
    readonly accountMaxWaiting: number;
    readonly processMaxWaiting: number;
    readonly accountMaxToolRequests: number;
    readonly accountMaxModelCalls: number;
    readonly processMaxModelCalls: number;
  };
  readonly metrics: Metrics;
}

/**
 * Maximum share of an account's slots in `waits` for one user or key: a key that sends requests in a loop leaves a
 * quarter of the slots to others (LIM-9).
 */
const SHARE_OF_A_CREDENTIAL = 0.75;

export function createOpenRequests({ settings, metrics }: OpenRequestsDeps): OpenRequests {
  const open = metrics.gauge('steward_open_requests', 'Open requests, by kind.', ['kind']);
  const refused = metrics.counter(
    'steward_open_requests_refused_total',
    'Requests refused because a limit on open requests was reached, by kind and by scope of the limit.',
    ['kind', 'limit'],
  );
  const create = (kind: string, options: Omit<WaitingPlacesOptions, 'onTaken' | 'onRefused'>): WaitingPlaces => {
    open.set({ kind }, 0);
    // The counter for the limit of the process starts at 0 before any request, so that alerts notice the first refusal.
    refused.inc({ kind, limit: 'process' }, 0);
    return createWaitingPlaces({
      ...options,
      onTaken: (count) => open.set({ kind }, count),
      onRefused: (limit) => refused.inc({ kind, limit }),
    });
  };
  return {
    waits: create('wait', {
      perAccount: settings.accountMaxWaiting,
      perCredential: Math.ceil(settings.accountMaxWaiting * SHARE_OF_A_CREDENTIAL),
      inAll: settings.processMaxWaiting,
      what: 'streams and long polls',
      variable: 'ACCOUNT_MAX_WAITING',
    }),
    // LIM-60: each export holds in memory a page of the timeline, up to the size that LIM-27 allows, or a seal of the
    // audit log with its entries.
    exports: create('export', { perAccount: 4, inAll: 16, what: 'exports' }),
    // LIM-65: each download uses an open file or a connection to the evidence store.
    downloads: create('download', { perAccount: 8, inAll: 32, what: 'evidence downloads' }),
    // LIM-40: each import holds a record, the calls without a result and a batch in memory, 30 MB at most.
    imports: create('import', { perAccount: 4, inAll: 8, what: 'imports' }),
    // LIM-56: exporters of several programs may send at the same moment; a refused exporter retries.
    traces: create('traces', { perAccount: 16, inAll: 256, what: 'trace requests' }),
    // LIM-59: a call that waits for an approval is open for minutes.
    toolRequests: create('tool_request', {
      perAccount: settings.accountMaxToolRequests,
      inAll: 1000,
      what: 'tool requests',
      variable: 'ACCOUNT_MAX_TOOL_REQUESTS',
    }),
    // LIM-85: each stream checks for changes every two seconds, as long as the agent is running.
    toolStreams: create('tool_stream', { perAccount: 100, inAll: 500, what: 'streams of tool changes' }),
    // LIM-102: each listener checks for events twice a second, and holds a page of them in memory.
    listeners: create('listener', { perAccount: 20, inAll: 100, what: 'event streams' }),
    // LIM-66: a model stream may be open for an hour.
    modelCalls: create('model_call', {
      perAccount: settings.accountMaxModelCalls,
      inAll: settings.processMaxModelCalls,
      what: 'model calls',
      variable: 'ACCOUNT_MAX_MODEL_CALLS',
    }),
    // LIM-71: each test holds a response of up to 8 MiB in memory, from a server that may be slow.
    trials: create('trial', { perAccount: 5, inAll: 20, what: 'tests of models, tool servers and trackers' }),
  };
}
