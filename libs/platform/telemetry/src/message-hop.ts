import { drawHop } from './span.ts';

/**
 * Returns the trace context of a message that is about to be published: the trace context of a new `producer` span
 * whose parent is `parent`.
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
