import type { BombServer } from '@steward/testing';

/** A running service that attacks are tried on. Its accounts are made by the attack; nothing of others is touched. */
export interface AttackTarget {
  readonly url: string;
  /** As somebody who reads every table: what an attack changed is read here, past the service. */
  readonly databaseUrl: string;
  /** Whose memory is watched. */
  readonly gatewayPid: number;
  /** A server that means harm, which the service was told it may ask (`allowBombs`). */
  readonly bombs: BombServer;
}

/** Settings of a gateway that lets accounts name this server, which has neither TLS nor a public address. */
export function allowBombs({ origin }: BombServer): Record<string, string> {
  return {
    MCP_ALLOW_INSECURE_URLS: origin,
    MODEL_GATEWAY_ALLOW_INSECURE_BASE_URLS: origin,
  };
}

/** One attack that was not refused as it has to be, in a sentence. */
export type Breach = string;

/** What a part of the suite found. */
export interface AttackReport {
  /** How many attempts were judged. */
  readonly tried: number;
  readonly breaches: readonly Breach[];
  /** Lines for who reads along: figures, and what could not be judged. */
  readonly notes: readonly string[];
}
