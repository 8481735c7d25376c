import type { Tracker, TrackerTrial } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { trackerPath, trackersKey } from '../../queries/trackers.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmChange } from '../../ui/confirm-change.tsx';
import { DialogButton } from '../../ui/dialog-button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useChange } from '../../ui/use-change.ts';
import styles from '../../ui/stack.module.css';
import { TrackerDialog } from './tracker-dialog.tsx';

export function TrackerActions({ tracker }: { readonly tracker: Tracker }) {
  const path = trackerPath(tracker.id);
  const refusal = useRefusal('manage_trackers');
  const test = useChange(() => request<TrackerTrial>('POST', `${path}/test`, { body: {} }), trackersKey);
  const remove = useChange(() => request<undefined>('DELETE', path), trackersKey);
  return (
    <div className={styles['stack']}>
      <div className={styles['actions']}>
        <Button disabledReason={refusal} aria-busy={test.isPending} onClick={() => test.mutate(undefined)}>
          Test
        </Button>
        <DialogButton label="Edit" disabledReason={refusal}>
          {(close) => <TrackerDialog tracker={tracker} onClose={close} />}
        </DialogButton>
        <DialogButton label="Delete" look="danger" disabledReason={refusal}>
          {(close) => (
            <ConfirmChange
              title={`Delete ${tracker.name}`}
              action="Delete tracker"
              look="danger"
              change={remove}
              onClose={close}
            >
              <p>The token of the tracker is deleted. Agents can no longer use the tools of the tracker.</p>
            </ConfirmChange>
          )}
        </DialogButton>
      </div>
      {test.data !== undefined && <Said trial={test.data} />}
      {test.error !== null && <ErrorState error={test.error} />}
    </div>
  );
}

function Said({ trial: { ok, login, name, scopes, error } }: { readonly trial: TrackerTrial }) {
  if (!ok) return <Notice tone="warn">{error?.message}</Notice>;
  const who = name === null || name === '' ? login : `${login} (${name})`;
  const may = scopes === null ? '' : ` Scopes: ${scopes.join(', ') || 'none'}.`;
  return (
    <Notice tone="ok" isNews>
      The token belongs to {who}.{may}
    </Notice>
  );
}
