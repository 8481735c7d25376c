import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Endpoint } from '../../api/answers.ts';
import { endpointsQuery } from '../../queries/webhooks.ts';

/** Those of the account; an account has few. */
export function useEndpoints(): readonly Endpoint[] {
  return useQuery(endpointsQuery(undefined)).data?.items ?? [];
}

/** Of a delivery: the address it goes to, also when the endpoint is gone. */
export function EndpointName({ id }: { readonly id: string }) {
  const endpoint = useEndpoints().find((each) => each.id === id);
  return (
    <Link to="/event-webhooks/endpoints/$endpointId" params={{ endpointId: id }}>
      {endpoint?.url ?? `${id.slice(0, 8)}…`}
    </Link>
  );
}
