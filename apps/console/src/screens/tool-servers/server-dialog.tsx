import type { ToolServer } from '../../api/answers.ts';
import { saveItem } from '../../api/save-item.ts';
import { TOOL_SERVERS_PATH, toolServersKey } from '../../queries/tool-servers.ts';
import { CheckField } from '../../ui/check-field.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';

interface Props {
  /** The server to change; undefined for a new one. */
  readonly server: ToolServer | undefined;
  readonly onClose: () => void;
}

export function ServerDialog({ server, onClose }: Props) {
  // The command of a server can be changed only with the command-line client or the API: this form does not show the
  // variables of the command, and would remove them.
  const isProgram = server?.transport === 'stdio';
  function save({ name = '', url = '', token = '', ...values }: Readonly<Record<string, string>>): Promise<ToolServer> {
    const body = {
      name: name.trim(),
      ...(!isProgram && { url: url.trim() }),
      enabled: values['enabled'] === 'on',
      ...(token !== '' && { headers: { authorization: `Bearer ${token}` } }),
    };
    return saveItem<ToolServer>(TOOL_SERVERS_PATH, server, body);
  }
  const title = server === undefined ? 'Add tool server' : `Edit ${server.name}`;
  const action = server === undefined ? 'Add tool server' : 'Save tool server';
  return (
    <FormDialog title={title} action={action} onClose={onClose} onSend={save} touches={toolServersKey}>
      {(errorOf) => (
        <>
          <Field
            label="Name"
            name="name"
            hint="The name becomes part of the names of the server’s tools."
            required
            defaultValue={server?.name}
            error={errorOf('name')}
          />
          {!isProgram && (
            <>
              <Field
                label="URL"
                name="url"
                inputMode="url"
                required
                defaultValue={server?.url}
                error={errorOf('url') ?? errorOf('base_url')}
              />
              <Field
                label="Bearer token"
                name="token"
                type="password"
                autoComplete="off"
                hint={
                  server?.has_headers === true
                    ? 'A token or other headers are stored. Leave empty to keep them.'
                    : 'The token is stored encrypted.'
                }
                error={errorOf('headers')}
              />
            </>
          )}
          <CheckField
            name="enabled"
            label="Offer the tools of this server to agents"
            checked={server?.enabled ?? true}
          />
        </>
      )}
    </FormDialog>
  );
}
