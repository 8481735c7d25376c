import type { IncomingHttpHeaders } from 'node:http';

/** Share of the events, the first ones, that warm up compilers, connections and caches, and are not measured. */
export const WARM_UP_SHARE = 0.1;

/** Key "path id" of one request and its time, in milliseconds since 1970. */
export type Arrival = readonly [key: string, at: number];

export interface SinkSample {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type SinkCommand =
  /** Resets everything; from now on, `expected` different requests to healthy paths complete the run. */
  { readonly kind: 'reset'; readonly expected: number } | { readonly kind: 'report' };

export type SinkAnswer =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'ready' }
  /** Sent when the first tenth of the events has arrived: the measurement starts. */
  | { readonly kind: 'warmed_up' }
  | { readonly kind: 'all_arrived' }
  | { readonly kind: 'report'; readonly arrivals: readonly Arrival[]; readonly sample: SinkSample | undefined };
