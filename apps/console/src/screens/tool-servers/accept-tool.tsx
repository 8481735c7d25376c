import type { Tool } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { toolServerPath, toolServersKey } from '../../queries/tool-servers.ts';
import { ConfirmChange } from '../../ui/confirm-change.tsx';
import { DialogButton } from '../../ui/dialog-button.tsx';
import { useChange } from '../../ui/use-change.ts';

/**
 * Accepts a changed tool definition after showing both versions. Until the change is accepted, `defaults.changed_tools`
 * of the policy determines how calls of the tool are handled.
 */
export function AcceptTool({ serverId, tool }: { readonly serverId: string; readonly tool: Tool }) {
  const refusal = useRefusal('manage_policies');
  const path = `${toolServerPath(serverId)}/tools/${encodeURIComponent(tool.name)}/accept`;
  // The hash of the shown definition is sent, so that a further change is not accepted unseen.
  const accept = useChange(
    () => request<unknown>('POST', path, { body: { definition_hash: tool.definition_hash } }),
    toolServersKey,
  );
  return (
    <DialogButton label="Review the change" disabledReason={refusal}>
      {(close) => (
        <ConfirmChange title={`${tool.name} has changed`} action="Accept the change" change={accept} onClose={close}>
          <h3>Accepted definition</h3>
          <pre>{JSON.stringify(tool.accepted_definition, null, 2)}</pre>
          <h3>Current definition</h3>
          <pre>{JSON.stringify(tool.definition, null, 2)}</pre>
        </ConfirmChange>
      )}
    </DialogButton>
  );
}
