import { drawHop } from './span.ts';

/**
 * Returns the position in the trace of a message that is about to be published: a new span of its kind after `parent`.
 * @param name - name of the message in the catalog
 */
export function messageHop(parent: string, name: string): string {
  return drawHop(parent, {
    name: `send ${name}`,
    kind: 'producer',
    attributes: {
      'messaging.system': 'nats',
      'messaging.destination.name': name,
      'messaging.operation.name': 'publish',
      'messaging.operation.type': 'send',
    },
  });
}
