import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { PortalLink } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { PORTAL_LINKS_PATH, portalLinksKey, portalLinksQuery } from '../../queries/portal-links.ts';
import { ConfirmChange } from '../../ui/confirm-change.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { DialogButton } from '../../ui/dialog-button.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { useChange } from '../../ui/use-change.ts';
import { CreatePortalLink } from './create-portal-link.tsx';

const route = getRouteApi('/inside/event-webhooks/portal-links');

const COLUMNS: readonly Column<PortalLink>[] = [
  { name: 'Group', show: ({ group }) => group },
  { name: 'Events', show: ({ event_types: types }) => types.join(', ') },
  { name: 'Embedded in', show: ({ frame_origins: origins }) => origins.join(', ') || 'no page' },
  { name: 'Created', show: ({ created_at: at }) => <TimeAgo at={at} /> },
  { name: 'Expires', show: ({ expires_at: at }) => <TimeAgo at={at} /> },
  { name: 'Actions', show: (link) => <EndLink link={link} /> },
];

/** Active links with which customers manage their own endpoints. */
export function PortalLinksScreen() {
  const { cursor } = route.useSearch();
  const query = useQuery({ ...portalLinksQuery(cursor), placeholderData: keepPreviousData });
  return (
    <ListPage
      name="Portal links"
      what="portal links"
      columns={COLUMNS}
      query={query}
      empty={
        <>
          No portal link is in use. With a link, a customer manages the{' '}
          <Link to="/event-webhooks/endpoints">endpoints</Link> of one group for an hour, and does not need an account.
        </>
      }
      actions={<CreatePortalLink look="primary" />}
    />
  );
}

function EndLink({ link: { id, group } }: { readonly link: PortalLink }) {
  const refusal = useRefusal('manage_policies');
  const end = useChange(() => request<undefined>('DELETE', `${PORTAL_LINKS_PATH}/${id}`), portalLinksKey);
  return (
    <DialogButton label="Revoke" look="danger" disabledReason={refusal}>
      {(close) => (
        <ConfirmChange
          title={`Revoke the link of ${group}`}
          action="Revoke link"
          look="danger"
          change={end}
          onClose={close}
        >
          <p>The link stops working from the next request on. The endpoints remain.</p>
        </ConfirmChange>
      )}
    </DialogButton>
  );
}
