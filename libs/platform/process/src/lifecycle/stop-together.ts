import type { Component } from './lifecycle.ts';

/**
 * Makes one component of several that start in order and stop at the same time: none of them begins anything new while
 * another one is still finishing its work.
 * @returns a component whose `stop` waits for all of them, and then throws an AggregateError if some failed to stop
 */
export function stopTogether(name: string, components: readonly Component[]): Component {
  return {
    name,
    async start() {
      for (const component of components) await component.start?.();
    },
    async stop() {
      const ends = await Promise.allSettled(components.map(async (component) => component.stop?.()));
      const errors = ends.flatMap((end, index) =>
        end.status === 'rejected' ? [new Error(`${components[index]?.name} did not stop`, { cause: end.reason })] : [],
      );
      if (errors.length > 0) throw new AggregateError(errors, errors.map(({ message }) => message).join('; '));
    },
  };
}
