import type { HealthCheck } from '@steward/process';
import type { Broker } from './broker.ts';

/**
 * Creates the health check of the broker. The check is not essential: without the broker, all functions still work,
 * with more latency (PROC-6, PROC-9).
 */
export function createBrokerHealthCheck(broker: Pick<Broker, 'checkHealth'>): HealthCheck {
  return { name: 'broker', essential: false, check: () => broker.checkHealth() };
}
