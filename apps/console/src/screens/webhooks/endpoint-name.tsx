import { Link } from '@tanstack/react-router';
import { showName, useNames } from '../../queries/use-names.ts';

/**
 * Link to the endpoint of a delivery, even if the endpoint was deleted; for a notice channel, link to the list of
 * channels.
 */
export function EndpointName({ id }: { readonly id: string }) {
  const channels = useNames('channel');
  const names = useNames('endpoint');
  if (channels.has(id)) return <Link to="/event-webhooks/notices">{showName(channels, id)}</Link>;
  return (
    <Link to="/event-webhooks/endpoints/$endpointId" params={{ endpointId: id }}>
      {showName(names, id)}
    </Link>
  );
}
