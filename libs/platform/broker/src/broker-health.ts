import type { HealthCheck } from '@steward/runtime';
import type { Broker } from './broker.ts';

/** Not essential: without a broker everything goes on, later (decisions.md section 7). */
export function createBrokerHealthCheck(broker: Pick<Broker, 'checkHealth'>): HealthCheck {
  return { name: 'broker', essential: false, check: () => broker.checkHealth() };
}
