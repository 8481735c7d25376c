import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { Endpoint } from '../../api/answers.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { deliveriesQuery, endpointQuery } from '../../queries/webhooks.ts';
import { DialogButton } from '../../ui/dialog-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { BesideDelivery } from './beside-delivery.tsx';
import { CreatePortalLink } from './create-portal-link.tsx';
import { DeliveriesTable } from './deliveries-table.tsx';
import { EndpointActions } from './endpoint-actions.tsx';
import { describeEndpoint } from './endpoint-state.ts';
import { Recover } from './recover.tsx';
import styles from './webhooks.module.css';

const route = getRouteApi('/inside/event-webhooks/endpoints/$endpointId');

export function EndpointScreen() {
  const { endpointId } = route.useParams();
  const { peek } = route.useSearch();
  const refusal = useRefusal('manage_policies');
  const query = useQuery(endpointQuery(endpointId));
  const deliveries = useQuery(deliveriesQuery('deliveries', { endpoint: endpointId }));
  return (
    <Page title="Endpoint" actions={<Link to="/event-webhooks/endpoints">All endpoints</Link>}>
      <Loaded what="the endpoint" query={query}>
        {(endpoint) => <EndpointCard endpoint={endpoint} />}
      </Loaded>
      <h2>Deliveries</h2>
      <DialogButton label="Recover dead letters" disabledReason={refusal}>
        {(close) => <Recover endpointId={endpointId} onClose={close} />}
      </DialogButton>
      <BesideDelivery peek={peek}>
        <Loaded what="deliveries" query={deliveries}>
          {({ items }) => <DeliveriesTable deliveries={items} empty="No deliveries to this endpoint yet." />}
        </Loaded>
      </BesideDelivery>
    </Page>
  );
}

function EndpointCard({ endpoint }: { readonly endpoint: Endpoint }) {
  const { tone, word, next } = describeEndpoint(endpoint);
  return (
    <section className={styles['card']} aria-label="About the endpoint">
      <p>
        <code>{endpoint.url}</code> {endpoint.description}
      </p>
      <p>
        <StatusBadge tone={tone}>{word}</StatusBadge> {next}
      </p>
      {endpoint.last_error !== null && <p className={styles['fine']}>Last error: {endpoint.last_error}</p>}
      <p className={styles['fine']}>
        {endpoint.group !== null && <>Group: {endpoint.group}. </>}
        Events: {endpoint.event_types.length === 0 ? 'all' : endpoint.event_types.join(', ')}. The signing secret ends
        in <code>{endpoint.secret_hint ?? ''}</code>.
      </p>
      <EndpointActions endpoint={endpoint} />
      {endpoint.group !== null && (
        <div className={styles['actions']}>
          <CreatePortalLink group={endpoint.group} />
        </div>
      )}
    </section>
  );
}
