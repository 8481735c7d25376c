import type { ToolServer } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { toolServerPath, toolServersKey } from '../../queries/tool-servers.ts';
import { ConfirmChange } from '../../ui/confirm-change.tsx';
import { DialogButton } from '../../ui/dialog-button.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useChange } from '../../ui/use-change.ts';
import { rememberLogin } from './begun-logins.ts';

interface Props {
  readonly server: ToolServer;
  readonly refusal: string | undefined;
}

/**
 * A login at the authorization server of a tool server: the user is redirected there, and returns to
 * `/tool-servers/connected`.
 */
export function ServerLogin({ server, refusal }: Props) {
  const forget = useChange(() => request<undefined>('DELETE', `${toolServerPath(server.id)}/oauth`), toolServersKey);
  return (
    <>
      <DialogButton label={server.oauth === null ? 'Connect with OAuth' : 'Connect again'} disabledReason={refusal}>
        {(close) => <LoginDialog server={server} onClose={close} />}
      </DialogButton>
      {server.oauth !== null && (
        <DialogButton label="Disconnect" disabledReason={refusal}>
          {(close) => (
            <ConfirmChange title={`Disconnect ${server.name}`} action="Disconnect" change={forget} onClose={close}>
              <p>
                The tokens of the tool server are deleted and, if the authorization server supports it, revoked there.
                Afterwards, the tool server is called without these tokens.
              </p>
            </ConfirmChange>
          )}
        </DialogButton>
      )}
    </>
  );
}

function LoginDialog({ server, onClose }: { readonly server: ToolServer; readonly onClose: () => void }) {
  async function begin({ client = '', secret = '', scope = '' }: Readonly<Record<string, string>>): Promise<void> {
    const body = {
      ...(client.trim() !== '' && { client_id: client.trim() }),
      ...(secret !== '' && { client_secret: secret }),
      ...(scope.trim() !== '' && { scope: scope.trim() }),
    };
    const path = `${toolServerPath(server.id)}/oauth/connect`;
    const { authorization_url: url } = await request<{ authorization_url: string }>('POST', path, { body });
    rememberLogin(url, server.id);
    location.assign(url);
  }
  return (
    <FormDialog
      title={`Connect ${server.name}`}
      action="Continue to the login"
      onClose={onClose}
      onSend={begin}
      touches={toolServersKey}
    >
      {(errorOf) => (
        <>
          <p>
            You log in at the authorization server of the tool server; agents call the tool server with the access that
            you grant there.
          </p>
          <Field
            label="Client id"
            name="client"
            hint="Leave empty if the authorization server registers clients automatically."
            error={errorOf('client_id')}
          />
          <Field
            label="Client secret"
            name="secret"
            type="password"
            autoComplete="off"
            error={errorOf('client_secret')}
          />
          <Field
            label="Scope"
            name="scope"
            hint="Empty: the scopes that the tool server requests or, if it requests none, supports."
            error={errorOf('scope')}
          />
        </>
      )}
    </FormDialog>
  );
}
