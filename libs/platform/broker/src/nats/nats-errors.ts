import { JetStreamApiError } from '@nats-io/jetstream';
import { PermissionViolationError } from '@nats-io/transport-node';
import { ReplicasRefusedError } from './nats-types.ts';

/** Server error codes without a name in the client package. */
export const STREAM_NAME_IN_USE = 10058;
export const SUBJECTS_OVERLAP = 10065;
export const CONSUMER_EXISTS = 10148;
const NO_PEERS = 10005;
const REPLICAS_NOT_SUPPORTED = 10074;

export function findViolation(error: unknown): PermissionViolationError | undefined {
  if (error instanceof PermissionViolationError) return error;
  return error instanceof Error && error.cause !== undefined ? findViolation(error.cause) : undefined;
}

export function readRefusal(error: unknown): unknown {
  const isRefused = hasCode(error, NO_PEERS) || hasCode(error, REPLICAS_NOT_SUPPORTED);
  return isRefused ? new ReplicasRefusedError({ cause: error as JetStreamApiError }) : error;
}

export function hasCode(error: unknown, code: number): boolean {
  return error instanceof JetStreamApiError && error.code === code;
}
