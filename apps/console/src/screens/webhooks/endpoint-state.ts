import type { Endpoint } from '../../api/answers.ts';
import type { Tone } from '../../ui/status-badge.tsx';

export interface EndpointState {
  readonly tone: Tone;
  readonly word: string;
  /** A sentence that says what happens next. */
  readonly next: string;
}

type Facts = Pick<
  Endpoint,
  'active' | 'circuit_state' | 'circuit_open_until' | 'consecutive_failures' | 'refusal_reason'
>;

/**
 * Describes the current state of an endpoint; if several states apply, the first of disabled, refusing events, paused,
 * probing and failing.
 */
export function describeEndpoint(endpoint: Facts): EndpointState {
  const failures = endpoint.consecutive_failures;
  if (!endpoint.active) {
    const next =
      endpoint.refusal_reason === null
        ? 'Nothing is sent; events are held until the endpoint is enabled.'
        : `Nothing is sent, and new events are refused: ${endpoint.refusal_reason}.`;
    return { tone: 'none', word: 'Disabled', next };
  }
  if (endpoint.refusal_reason !== null)
    return { tone: 'bad', word: 'Refusing events', next: `New events are refused: ${endpoint.refusal_reason}.` };
  if (endpoint.circuit_state === 'open') {
    const until = endpoint.circuit_open_until === null ? '' : ` until ${toTime(endpoint.circuit_open_until)}`;
    const next = `${countFailures(failures)}. One delivery is tried after the pause. If you enable the endpoint, the deliveries held back by the pause are sent at once.`;
    return { tone: 'warn', word: `Paused${until}`, next };
  }
  if (endpoint.circuit_state === 'half_open')
    return {
      tone: 'warn',
      word: 'Probing',
      next: 'One delivery is being sent as a test; if it succeeds, the others follow.',
    };
  if (failures > 0)
    return { tone: 'warn', word: 'Failing', next: `${countFailures(failures)}; each delivery is retried.` };
  return { tone: 'ok', word: 'Active', next: 'Events are sent as they happen.' };
}

const countFailures = (count: number): string => (count === 1 ? '1 failure' : `${count} failures in a row`);

function toTime(moment: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' }).format(new Date(moment));
}
