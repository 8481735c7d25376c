import { tagRoutes } from '@steward/http';
import type { Logger } from '@steward/process';
import { ensurePushKey, sealStoredEndpoints } from '@steward/webhooks';
import { createSealAddresses, onReplica, type Module, type ReplicaDeps } from '@steward/api';
import { createCreateListenerRoute } from './listeners/create-listener.ts';
import { createDeleteListenerRoute } from './listeners/delete-listener.ts';
import { createListListenersRoute } from './listeners/list-listeners.ts';
import { createListenerStreams } from './listeners/listener-streams.ts';
import { createStreamListenerEventsRoute, type StreamDeps } from './listeners/stream-listener-events.ts';
import { createUpdateListenerRoute } from './listeners/update-listener.ts';
import { createCreatePortalLinkRoute, type PortalDeps } from './portal/create-portal-link.ts';
import { createDeletePortalLinkRoute } from './portal/delete-portal-link.ts';
import { createListPortalLinksRoute } from './portal/list-portal-links.ts';
import { createChannelRoutes } from './channels/channel-routes.ts';
import { createPushRoutes } from './push/push-routes.ts';
import { createReadCatalogueRoute } from './read-catalogue.ts';
import { createCreateEndpointRoute } from './create-endpoint.ts';
import { createDeleteEndpointRoute } from './delete-endpoint.ts';
import { createListDeadLettersRoute, createListDeliveriesRoute } from './list-deliveries.ts';
import { createListEndpointsRoute } from './list-endpoints.ts';
import { createReadDeliveryRoute } from './read-delivery.ts';
import { createReadEndpointRoute } from './read-endpoint.ts';
import { createReadEventRoute } from './read-event.ts';
import { createReadRecoveryRoute, createRecoverDeliveriesRoute } from './recover-deliveries.ts';
import { createReplayEventRoute } from './replay-event.ts';
import { createRotateSecretRoute } from './rotate-secret.ts';
import { createTestEndpointRoute } from './test-endpoint.ts';
import { createUpdateEndpointRoute } from './update-endpoint.ts';

/**
 * Creates the routes for event webhooks (receivers, the delivery log, replay, listeners and portal links;
 * docs/contract/event-webhooks.md) and for notices (docs/contract/notices.md), and the background tasks for these.
 */
export function createWebhooksModule(
  deps: Omit<StreamDeps, 'listenerStreams'> & PortalDeps & ReplicaDeps & { readonly logger: Logger },
): Module {
  const listenerStreams = createListenerStreams();
  return {
    streams: [listenerStreams],
    routes: tagRoutes('event-webhooks', [
      createReadCatalogueRoute(deps),
      createCreateEndpointRoute(deps),
      onReplica(createListEndpointsRoute, deps),
      createReadEndpointRoute(deps),
      createUpdateEndpointRoute(deps),
      createDeleteEndpointRoute(deps),
      createRotateSecretRoute(deps),
      createTestEndpointRoute(deps),
      onReplica(createListDeliveriesRoute, deps),
      onReplica(createListDeadLettersRoute, deps),
      onReplica(createReadDeliveryRoute, deps),
      onReplica(createReadEventRoute, deps),
      createReplayEventRoute(deps),
      createRecoverDeliveriesRoute(deps),
      createReadRecoveryRoute(deps),
      createCreateListenerRoute(deps),
      createListListenersRoute(deps),
      createUpdateListenerRoute(deps),
      createDeleteListenerRoute(deps),
      createStreamListenerEventsRoute({ ...deps, listenerStreams }),
      createCreatePortalLinkRoute(deps),
      createListPortalLinksRoute(deps),
      createDeletePortalLinkRoute(deps),
    ]).concat(createChannelRoutes(deps), createPushRoutes(deps)),
    components: [
      { name: 'push key', start: async () => void (await ensurePushKey(deps.db, deps.secretBoxes.webhook)) },
      createSealAddresses({
        of: 'endpoints',
        seal: (signal) => sealStoredEndpoints(deps.db, deps.secretBoxes.webhook, signal),
        logger: deps.logger,
      }),
    ],
  };
}
