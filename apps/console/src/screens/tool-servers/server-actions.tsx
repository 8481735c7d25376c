import { useNavigate } from '@tanstack/react-router';
import type { ToolServer } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { toolServerPath, toolServersKey } from '../../queries/tool-servers.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmChange } from '../../ui/confirm-change.tsx';
import { DialogButton } from '../../ui/dialog-button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { useChange } from '../../ui/use-change.ts';
import { useRemoval } from '../../ui/use-removal.ts';
import styles from '../../ui/stack.module.css';
import { ServerDialog } from './server-dialog.tsx';
import { ServerLog } from './server-log.tsx';
import { ServerLogin } from './server-login.tsx';

export function ServerActions({ server }: { readonly server: ToolServer }) {
  const navigate = useNavigate();
  const path = toolServerPath(server.id);
  const refusal = useRefusal('manage_policies');
  const refresh = useChange(() => request<unknown>('POST', `${path}/refresh`, { body: {} }), toolServersKey);
  const remove = useRemoval(path, toolServersKey, () => navigate({ to: '/tool-servers' }));
  return (
    <>
      <div className={styles['actions']}>
        <Button disabledReason={refusal} aria-busy={refresh.isPending} onClick={() => refresh.mutate(undefined)}>
          Reload tools
        </Button>
        <DialogButton label="Edit" disabledReason={refusal}>
          {(close) => <ServerDialog server={server} onClose={close} />}
        </DialogButton>
        {server.transport === 'stdio' ? (
          <DialogButton label="Log" disabledReason={refusal}>
            {(close) => <ServerLog server={server} onClose={close} />}
          </DialogButton>
        ) : (
          <ServerLogin server={server} refusal={refusal} />
        )}
        <DialogButton label="Delete" look="danger" disabledReason={refusal}>
          {(close) => (
            <ConfirmChange
              title={`Delete ${server.name}`}
              action="Delete tool server"
              look="danger"
              change={remove}
              onClose={close}
            >
              <p>The tools of this server are no longer offered, and their accepted definitions are deleted.</p>
            </ConfirmChange>
          )}
        </DialogButton>
      </div>
      {refresh.error !== null && <ErrorState error={refresh.error} />}
    </>
  );
}
