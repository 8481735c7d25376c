import { useNavigate } from '@tanstack/react-router';
import type { Flow, FlowSchedule, Triggered } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { flowPath, flowsKey, schedulePath } from '../../queries/flows.ts';
import { Button } from '../../ui/button.tsx';
import { DialogButton } from '../../ui/dialog-button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useChange } from '../../ui/use-change.ts';
import styles from './flows.module.css';
import { readSchedule } from './schedule-draft.ts';
import { ScheduleFields } from './schedule-fields.tsx';

/** Actions on a schedule: pause or resume it, run its flow now, change it. */
export function ScheduleActions({ schedule }: { readonly schedule: FlowSchedule }) {
  const navigate = useNavigate();
  const [mayEdit, mayRun] = [useRefusal('edit_flows'), useRefusal('execute_flows')];
  const { flow_id: flowId, flow_name: name, state } = schedule;
  const isPaused = schedule.paused_at !== null;
  const pause = useChange(
    () => request<FlowSchedule>('POST', `${schedulePath(flowId)}/${isPaused ? 'resume' : 'pause'}`, { body: {} }),
    flowsKey,
  );
  const run = useChange(() => request<Triggered>('POST', `${schedulePath(flowId)}/run`, { body: {} }), flowsKey);
  const error = pause.error ?? run.error;
  return (
    <div className={styles['actions']}>
      <Button
        aria-label={`${isPaused ? 'Resume' : 'Pause'} ${name}`}
        disabledReason={mayEdit}
        aria-busy={pause.isPending}
        onClick={() => pause.mutate(undefined)}
      >
        {isPaused ? 'Resume' : 'Pause'}
      </Button>
      <Button
        aria-label={`Run now ${name}`}
        disabledReason={mayRun ?? (state === 'disabled' ? 'the flow is disabled' : undefined)}
        aria-busy={run.isPending}
        onClick={() =>
          run.mutate(undefined, {
            onSuccess: ({ execution_id: executionId }) =>
              void navigate({ to: '/executions/$executionId', params: { executionId } }),
          })
        }
      >
        Run now
      </Button>
      <DialogButton label="Change" disabledReason={mayEdit}>
        {(close) => <ScheduleDialog schedule={schedule} onClose={close} />}
      </DialogButton>
      {error !== null && <ErrorState error={error} />}
    </div>
  );
}

function ScheduleDialog({ schedule, onClose }: { readonly schedule: FlowSchedule; readonly onClose: () => void }) {
  const { flow_id: flowId, flow_name: name, schedule_config: config } = schedule;
  return (
    <FormDialog
      title={`Schedule of ${name}`}
      action="Save schedule"
      onClose={onClose}
      onSend={(values) =>
        request<Flow>('PATCH', flowPath(flowId), { body: { schedule_config: readSchedule(values, config) } })
      }
      touches={flowsKey}
    >
      {(errorOf) => <ScheduleFields config={config} errorOf={errorOf} />}
    </FormDialog>
  );
}
