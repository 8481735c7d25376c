import type { Flow } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { flowPath, flowsKey } from '../../queries/flows.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx';
import { useChange } from '../../ui/use-change.ts';

type FlowTracker = NonNullable<Flow['tracker_config']>;

const STATES: Readonly<Record<FlowTracker['registration']['state'], readonly [Tone, string]>> = {
  pending: ['none', 'Being registered'],
  active: ['ok', 'Registered'],
  failed: ['bad', 'Refused'],
  removed: ['none', 'Removed'],
};

/** Shows whether the webhook of the flow is registered at the tracker and, if it is not, the reason. */
export function TrackerRegistration({ flowId, tracker }: { readonly flowId: string; readonly tracker: FlowTracker }) {
  const refusal = useRefusal('edit_flows');
  const again = useChange(
    () => request<unknown>('POST', `${flowPath(flowId)}/tracker-registration`, { body: {} }),
    flowsKey,
  );
  const { state, reason } = tracker.registration;
  const [tone, word] = STATES[state];
  return (
    <section aria-label="Webhook at the tracker">
      <p>
        Webhook at {tracker.repository}: <StatusBadge tone={tone}>{word}</StatusBadge> {reason}
      </p>
      {state !== 'active' && (
        <Button disabledReason={refusal} aria-busy={again.isPending} onClick={() => again.mutate(undefined)}>
          Register it now
        </Button>
      )}
      {again.error !== null && <ErrorState error={again.error} />}
    </section>
  );
}
