import { setTimeout as delay } from 'node:timers/promises';
import type { Component } from './lifecycle.ts';

export interface Drain extends Component {
  /** Returns true as soon as the process has been requested to stop. */
  isDraining(): boolean;
}

/**
 * Creates the drain. It must be the last component, so that it stops first: the readiness probe fails at once, and the
 * port stays open for another `pauseSeconds`, until load balancers have noticed. Without the pause, they would send
 * requests to a closed port.
 */
export function createDrain(pauseSeconds: number): Drain {
  let draining = false;
  return {
    name: 'drain',
    isDraining: () => draining,
    async stop() {
      draining = true;
      await delay(pauseSeconds * 1000);
    },
  };
}
