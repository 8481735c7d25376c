import type { IncomingHttpHeaders } from 'node:http';

/** "path id" of one request and when it came, in milliseconds since 1970. */
export type Arrival = readonly [key: string, at: number];

export interface SinkSample {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type SinkCommand =
  /** Forgets everything; from now on `expected` different requests to healthy paths make it complete. */
  { readonly kind: 'reset'; readonly expected: number } | { readonly kind: 'report' };

export type SinkAnswer =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'ready' }
  | { readonly kind: 'all_arrived' }
  | { readonly kind: 'report'; readonly arrivals: readonly Arrival[]; readonly sample: SinkSample | undefined };
