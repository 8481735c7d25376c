import type { BombServer } from '@steward/testing';

/** A running service as the target. The attack creates its own accounts; no other data is changed. */
export interface AttackTarget {
  readonly url: string;
  /**
   * A database user who can read every table: changes made by an attack are detected with it, bypassing the service.
   */
  readonly databaseUrl: string;
  /** The process whose memory is monitored. */
  readonly gatewayPid: number;
  /** A malicious server, which the service may call (`allowBombs`). */
  readonly bombs: BombServer;
}

/** Settings that allow accounts to configure this server, which has no TLS and no public address. */
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
