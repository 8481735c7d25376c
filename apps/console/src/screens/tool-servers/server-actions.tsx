import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ToolServer } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { toolServerPath, toolServersKey } from '../../queries/tool-servers.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { useChange, useRemoval } from '../../ui/use-change.ts';
import styles from '../../ui/stack.module.css';
import { ServerDialog } from './server-dialog.tsx';

type Asked = 'edit' | 'delete' | undefined;

export function ServerActions({ server }: { readonly server: ToolServer }) {
  const navigate = useNavigate();
  const path = toolServerPath(server.id);
  const [asked, setAsked] = useState<Asked>();
  const close = (): void => setAsked(undefined);
  const refusal = useRefusal('manage_policies');
  const refresh = useChange(() => request<unknown>('POST', `${path}/refresh`, { body: {} }), toolServersKey);
  const remove = useRemoval(path, toolServersKey, () => navigate({ to: '/tool-servers' }));
  return (
    <>
      <div className={styles['actions']}>
        <Button disabledReason={refusal} aria-busy={refresh.isPending} onClick={() => refresh.mutate(undefined)}>
          List its tools
        </Button>
        <Button disabledReason={refusal} onClick={() => setAsked('edit')}>
          Edit
        </Button>
        <Button look="danger" disabledReason={refusal} onClick={() => setAsked('delete')}>
          Delete
        </Button>
      </div>
      {refresh.error !== null && <ErrorState error={refresh.error} />}
      {asked === 'edit' && <ServerDialog server={server} onClose={close} />}
      {asked === 'delete' && (
        <Confirm
          title={`Delete ${server.name}`}
          action="Delete tool server"
          look="danger"
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={close}
        >
          <p>Its tools are not offered any more, and what was accepted of them is forgotten.</p>
        </Confirm>
      )}
    </>
  );
}
