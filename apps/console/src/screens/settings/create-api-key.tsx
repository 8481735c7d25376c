import type { CreatedApiKey } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { useSession } from '../../auth/session.ts';
import { API_KEYS_PATH, apiKeysKey } from '../../queries/api-keys.ts';
import { CheckList } from '../../ui/check-list.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { readKeyLimits } from './key-limit-words.ts';
import { KeyLimitFields } from './key-limits.tsx';

interface Props {
  readonly onClose: () => void;
  readonly onCreated: (key: CreatedApiKey) => void;
}

export function CreateApiKey({ onClose, onCreated }: Props) {
  const session = useSession();
  const own = session.kind === 'signed-in' ? session.user.permissions : [];
  function create(values: Readonly<Record<string, string>>): Promise<CreatedApiKey> {
    const { name = '', expires = '', agent = '' } = values;
    const limits = readKeyLimits(values);
    const scopes = own.filter((permission) => permission in values);
    const body = {
      name: name.trim(),
      ...(expires !== '' && { expires_at: new Date(`${expires}T00:00`).toISOString() }),
      ...(scopes.length > 0 && { scopes }),
      ...(limits !== null && { limits }),
      ...(agent.trim() !== '' && { runtime_principal: { type: 'managed_agent', id: agent.trim() } }),
    };
    return request<CreatedApiKey>('POST', API_KEYS_PATH, { body });
  }
  return (
    <FormDialog
      title="Create API key"
      action="Create API key"
      onClose={onClose}
      onSend={create}
      touches={apiKeysKey}
      onSent={onCreated}
    >
      {(errorOf) => (
        <>
          <Field
            label="Name"
            name="name"
            maxLength={100}
            hint="Purpose and user of the key."
            required
            error={errorOf('name')}
          />
          <Field label="Expires" name="expires" type="date" hint="Empty: never." error={errorOf('expires_at')} />
          <Field
            label="Agent"
            name="agent"
            hint="Id of the agent that this key is bound to; everything done with the key counts as done by this agent. Such a key can use sessions, models and tools, but cannot change policies, approvals, users, keys or settings, regardless of the permissions selected below."
            error={errorOf('runtime_principal')}
          />
          <KeyLimitFields limits={null} errorOf={errorOf} />
          <CheckList legend="Permissions (none selected: all of yours)" names={own} />
        </>
      )}
    </FormDialog>
  );
}
