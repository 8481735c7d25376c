import type { NatsConnection } from '@nats-io/transport-node';
import { findViolation } from './nats-errors.ts';
import type { NatsClient } from './nats-types.ts';

export function watchConnection(nc: NatsConnection) {
  let connected = true;
  const listeners = new Set<(connected: boolean) => void>();
  let tellDenied: Parameters<NatsClient['onDenied']>[0] = () => undefined;
  const change = (now: boolean): void => {
    if (connected === now) return;
    connected = now;
    for (const listener of [...listeners]) listener(now);
  };
  void (async () => {
    for await (const status of nc.status()) {
      if (status.type === 'disconnect') change(false);
      if (status.type === 'reconnect') change(true);
      const violation = status.type === 'error' ? findViolation(status.error) : undefined;
      if (violation !== undefined) tellDenied({ operation: violation.operation, subject: violation.subject });
    }
  })();
  void nc.closed().then(() => change(false));
  return {
    isConnected: () => connected && !nc.isClosed(),
    /** Removes the listeners for connection changes before a requested close, which is not an outage. */
    silence: () => listeners.clear(),
    onDenied(listener: typeof tellDenied) {
      tellDenied = listener;
    },
    onChange(listener: (connected: boolean) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
