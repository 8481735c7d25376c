import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Delivery } from '../../api/answers.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { deliveriesQuery } from '../../queries/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { BesideDelivery } from './beside-delivery.tsx';
import { DeliveriesTable } from './deliveries-table.tsx';
import { DeliveryFilters } from './delivery-filters.tsx';
import { Recover } from './recover.tsx';
import { ReplayEvent } from './replay-event.tsx';

const route = getRouteApi('/inside/event-webhooks/dead-letters');

const REPLAY: Column<Delivery> = { name: 'Repair', show: (delivery) => <ReplayEvent delivery={delivery} /> };

/** What was given up after its last attempt. The rows stay after a replay: that is a delivery of its own. */
export function DeadLettersScreen() {
  const params = route.useSearch();
  const navigate = route.useNavigate();
  const [isRecovering, setRecovering] = useState(false);
  const refusal = useRefusal('manage_policies');
  const query = useQuery({
    ...deliveriesQuery('deliveries/dead-letter', params),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title="Dead letters"
      actions={
        <Button disabledReason={refusal} onClick={() => setRecovering(true)}>
          Recover
        </Button>
      }
    >
      <DeliveryFilters params={params} onFilter={(search) => void navigate({ search })} />
      <BesideDelivery
        peek={params.peek}
        onClose={() => void navigate({ search: { ...params, peek: undefined }, resetScroll: false })}
      >
        <Loaded what="dead letters" query={query}>
          {({ items, next_cursor: cursor }) => (
            <>
              <DeliveriesTable
                name="Dead letters"
                deliveries={items}
                isOld={query.isPlaceholderData}
                empty="No delivery was given up."
                hasEndpoint
                more={REPLAY}
              />
              {cursor !== null && (
                <Link to="/event-webhooks/dead-letters" search={{ ...params, cursor }} rel="next">
                  Next page
                </Link>
              )}
            </>
          )}
        </Loaded>
      </BesideDelivery>
      {isRecovering && <Recover endpointId={params.endpoint} onClose={() => setRecovering(false)} />}
    </Page>
  );
}
