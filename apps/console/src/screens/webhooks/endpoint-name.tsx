import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Endpoint } from '../../api/answers.ts';
import { endpointsQuery } from '../../queries/webhooks.ts';

/** Endpoints of the account, which has few. */
export function useEndpoints(): readonly Endpoint[] {
  return useQuery(endpointsQuery(undefined)).data?.items ?? [];
}

/** Address of a delivery, even if the endpoint was deleted. */
export function EndpointName({ id }: { readonly id: string }) {
  const endpoint = useEndpoints().find((each) => each.id === id);
  return (
    <Link to="/event-webhooks/endpoints/$endpointId" params={{ endpointId: id }}>
      {endpoint?.url ?? `${id.slice(0, 8)}…`}
    </Link>
  );
}
