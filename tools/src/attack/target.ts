import type { BombServer } from '@steward/testing';

/** Running service that is attacked. The attack creates its own accounts; no other data is changed. */
export interface AttackTarget {
  readonly url: string;
  /**
   * URL of the database with a user who can read every table; used to detect, bypassing the service, changes made by an
   * attack.
   */
  readonly databaseUrl: string;
  /** Id of the process whose memory is monitored. */
  readonly gatewayPid: number;
  /** Malicious server that the service may call (`allowBombs`). */
  readonly bombs: BombServer;
}

/** Returns settings that allow accounts to configure this server, which has no TLS and no public address. */
export function allowBombs({ origin }: BombServer): Record<string, string> {
  return {
    MCP_ALLOW_INSECURE_URLS: origin,
    MODEL_GATEWAY_ALLOW_INSECURE_BASE_URLS: origin,
  };
}

/** Attack that was not refused correctly, as a sentence. */
export type Breach = string;

/** Result of one part of the suite. */
export interface AttackReport {
  /** Number of attempts. */
  readonly tried: number;
  readonly breaches: readonly Breach[];
  /** Lines to be printed: figures, and attempts that were skipped. */
  readonly notes: readonly string[];
}
