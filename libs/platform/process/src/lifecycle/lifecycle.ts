import { endsWithin } from '@steward/async';
import type { Logger } from '../logging/logger.ts';

/** A part of an app; parts start in order and stop in reverse order. */
export interface Component {
  readonly name: string;
  start?(): Promise<void> | void;
  stop?(): Promise<void> | void;
}

export interface Lifecycle {
  /** Starts the components in order. If one fails, stops it and the components before it, and rethrows the error. */
  start(): Promise<void>;
  /**
   * Stops the components in reverse order. A further call waits for the same stop to complete. Resolves with false if
   * the deadline passes first.
   */
  stop(): Promise<boolean>;
}

export interface LifecycleOptions {
  readonly logger: Logger;
  /** Total time in seconds that `stop` waits for all components. */
  readonly stopDeadlineSeconds: number;
}

export function createLifecycle(components: readonly Component[], options: LifecycleOptions): Lifecycle {
  const started: Component[] = [];
  let stopping: Promise<boolean> | undefined;

  async function stopAll(): Promise<void> {
    for (const component of started.splice(0).reverse()) {
      try {
        await component.stop?.();
      } catch (error) {
        options.logger.error('component.stop_failed', { component: component.name, error });
      }
    }
  }

  async function stopWithDeadline(): Promise<boolean> {
    const finished = await endsWithin(stopAll(), options.stopDeadlineSeconds * 1000);
    if (!finished) options.logger.error('service.stop_deadline_passed', { seconds: options.stopDeadlineSeconds });
    return finished;
  }

  return {
    async start() {
      for (const component of components) {
        // The component is registered before it starts, so that one that fails half-way is stopped as well.
        started.push(component);
        try {
          await component.start?.();
        } catch (error) {
          await stopAll();
          throw error;
        }
      }
    },
    stop() {
      stopping ??= stopWithDeadline();
      return stopping;
    },
  };
}
