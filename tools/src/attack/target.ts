import type { BombServer } from '@steward/testing';

/** A running service as the target. The attack creates its own accounts; no other data is changed. */
export interface AttackTarget {
  readonly url: string;
  /** A database user who reads every table: changes of an attack are read here, bypassing the service. */
  readonly databaseUrl: string;
  /** The process whose memory is monitored. */
  readonly gatewayPid: number;
  /** A malicious server, which the service may call (`allowBombs`). */
  readonly bombs: BombServer;
}

/** Settings that allow accounts to name this server, which has neither TLS nor a public address. */
export function allowBombs({ origin }: BombServer): Record<string, string> {
  return {
    MCP_ALLOW_INSECURE_URLS: origin,
    MODEL_GATEWAY_ALLOW_INSECURE_BASE_URLS: origin,
  };
}

/** One attack that was not refused correctly, as a sentence. */
export type Breach = string;

/** Result of a part of the suite. */
export interface AttackReport {
  /** Number of attempts. */
  readonly tried: number;
  readonly breaches: readonly Breach[];
  /** Lines for the reader: figures, and skipped attempts. */
  readonly notes: readonly string[];
}
