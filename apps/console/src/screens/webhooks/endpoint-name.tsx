import { Link } from '@tanstack/react-router';
import { showName, useNames } from '../../queries/use-names.ts';

/** Link to the endpoint of a delivery, also if the endpoint was deleted. */
export function EndpointName({ id }: { readonly id: string }) {
  return (
    <Link to="/event-webhooks/endpoints/$endpointId" params={{ endpointId: id }}>
      {showName(useNames('endpoint'), id)}
    </Link>
  );
}
