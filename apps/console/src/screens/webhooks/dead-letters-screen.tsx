import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Delivery } from '../../api/answers.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { deliveriesQuery } from '../../queries/webhooks.ts';
import type { Column } from '../../ui/data-table.tsx';
import { DialogButton } from '../../ui/dialog-button.tsx';
import { isFiltered, NoneMatch } from '../../ui/none-match.tsx';
import { Page } from '../../ui/page.tsx';
import { Paged } from '../../ui/paged.tsx';
import { BesideDelivery } from './beside-delivery.tsx';
import { DeliveriesTable } from './deliveries-table.tsx';
import { DeliveryFilters } from './delivery-filters.tsx';
import { Recover } from './recover.tsx';
import { ReplayEvent } from './replay-event.tsx';

const route = getRouteApi('/inside/event-webhooks/dead-letters');

const REPLAY: Column<Delivery> = { name: 'Actions', show: (delivery) => <ReplayEvent delivery={delivery} /> };

/** Deliveries that failed permanently. The rows stay after a replay, which creates separate deliveries. */
export function DeadLettersScreen() {
  const params = route.useSearch();
  const navigate = route.useNavigate();
  const refusal = useRefusal('manage_policies');
  const query = useQuery({
    ...deliveriesQuery('deliveries/dead-letter', params),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title="Dead letters"
      actions={
        <DialogButton label="Recover" disabledReason={refusal}>
          {(close) => <Recover endpointId={params.endpoint} onClose={close} />}
        </DialogButton>
      }
    >
      <DeliveryFilters params={params} onFilter={(search) => void navigate({ search })} />
      <BesideDelivery peek={params.peek}>
        <Paged what="dead letters" query={query}>
          {(items) => (
            <DeliveriesTable
              name="Dead letters"
              deliveries={items}
              isOld={query.isPlaceholderData}
              empty={isFiltered(params) ? <NoneMatch what="dead letters" /> : 'No deliveries have failed permanently.'}
              hasEndpoint
              more={REPLAY}
            />
          )}
        </Paged>
      </BesideDelivery>
    </Page>
  );
}
