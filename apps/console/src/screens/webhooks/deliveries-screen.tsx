import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { countNoun } from '@steward/text';
import type { Delivery } from '../../api/answers.ts';
import { deliveriesQuery } from '../../queries/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { isFiltered, NoneMatch } from '../../ui/none-match.tsx';
import { Page } from '../../ui/page.tsx';
import { Paged } from '../../ui/paged.tsx';
import { useSteadyRows } from '../../ui/use-steady-rows.ts';
import { BesideDelivery } from './beside-delivery.tsx';
import { DeliveriesTable } from './deliveries-table.tsx';
import { DeliveryFilters } from './delivery-filters.tsx';

const route = getRouteApi('/inside/event-webhooks/deliveries');

export function DeliveriesScreen() {
  const params = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery({ ...deliveriesQuery('deliveries', params), placeholderData: keepPreviousData });
  return (
    <Page title="Deliveries">
      <DeliveryFilters params={params} hasStatus onFilter={(search) => void navigate({ search })} />
      <BesideDelivery peek={params.peek}>
        <Paged what="deliveries" query={query}>
          {(items) => (
            <SteadyDeliveries
              key={`${JSON.stringify({ ...params, peek: undefined })} ${query.isPlaceholderData}`}
              deliveries={items}
              isOld={query.isPlaceholderData}
              isFirstPage={params.cursor === undefined}
              hasFilters={isFiltered(params)}
            />
          )}
        </Paged>
      </BesideDelivery>
    </Page>
  );
}

interface Props {
  readonly deliveries: readonly Delivery[];
  readonly isOld: boolean;
  readonly isFirstPage: boolean;
  readonly hasFilters: boolean;
}

/** List of deliveries in which new ones are only shown on request, so that rows do not move under the pointer. */
function SteadyDeliveries({ deliveries, isOld, isFirstPage, hasFilters }: Props) {
  const { rows, newCount, showNew } = useSteadyRows(deliveries);
  return (
    <>
      {isFirstPage && newCount > 0 && (
        <Button onClick={showNew}>{countNoun(newCount, 'new delivery', 'new deliveries')}</Button>
      )}
      <DeliveriesTable
        deliveries={rows}
        isOld={isOld}
        hasEndpoint
        empty={
          hasFilters ? (
            <NoneMatch what="deliveries" />
          ) : (
            <>
              No deliveries yet. An event of the account is delivered to each{' '}
              <Link to="/event-webhooks/endpoints">endpoint</Link> that is subscribed to its type.
            </>
          )
        }
      />
    </>
  );
}
