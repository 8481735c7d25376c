import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { ToolServer } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { toolServerPath, toolServersKey } from '../../queries/tool-servers.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { forgetLogin, readLogin } from './begun-logins.ts';

const route = getRouteApi('/inside/tool-servers/connected');

/** Target of an authorization server's redirect: completes the login, once. */
export function ConnectedScreen() {
  const { code, state, iss, error: refused } = route.useSearch();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [failure, setFailure] = useState<unknown>(null);
  const isSent = useRef(false);
  const serverId = readLogin(state);
  useEffect(() => {
    if (serverId === undefined || state === undefined || isSent.current) return;
    isSent.current = true;
    const body = {
      state,
      ...(code !== undefined && { code }),
      ...(iss !== undefined && { iss }),
      ...(refused !== undefined && { error: refused }),
    };
    request<ToolServer>('POST', `${toolServerPath(serverId)}/oauth/finish`, { body })
      .then(async () => {
        forgetLogin(state);
        await client.invalidateQueries({ queryKey: toolServersKey() });
        await navigate({ to: '/tool-servers/$serverId', params: { serverId }, replace: true });
      })
      .catch(setFailure);
  }, [client, code, iss, navigate, refused, serverId, state]);
  return (
    <Page title="Connect a tool server" actions={<Link to="/tool-servers">All tool servers</Link>}>
      {serverId === undefined && (
        <Notice tone="warn">
          This login was not started in this tab. Connect the tool server again from its page.
        </Notice>
      )}
      {serverId !== undefined && failure === null && <p role="status">The login is being completed.</p>}
      {failure !== null && <ErrorState error={failure} />}
    </Page>
  );
}
