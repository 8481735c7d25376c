import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { deliveriesQuery } from '../../queries/webhooks.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Beside } from '../../ui/peek.tsx';
import { DeliveriesTable } from './deliveries-table.tsx';
import { DeliveryFilters } from './delivery-filters.tsx';
import { DeliveryPeek } from './delivery-peek.tsx';

const route = getRouteApi('/inside/event-webhooks/deliveries');

export function DeliveriesScreen() {
  const params = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery({ ...deliveriesQuery('deliveries', params), placeholderData: keepPreviousData });
  return (
    <Page title="Deliveries">
      <DeliveryFilters params={params} hasStatus onFilter={(search) => void navigate({ search })} />
      <Beside
        peek={
          params.peek !== undefined && (
            <DeliveryPeek
              key={params.peek}
              deliveryId={params.peek}
              onClose={() => void navigate({ search: { ...params, peek: undefined }, resetScroll: false })}
            />
          )
        }
      >
        <Loaded what="deliveries" query={query}>
          {({ items, next_cursor: cursor }) => (
            <>
              <DeliveriesTable
                deliveries={items}
                isOld={query.isPlaceholderData}
                empty="Nothing was sent, or nothing fits these filters."
              />
              {cursor !== null && (
                <Link to="/event-webhooks/deliveries" search={{ ...params, cursor }}>
                  Next page
                </Link>
              )}
            </>
          )}
        </Loaded>
      </Beside>
    </Page>
  );
}
