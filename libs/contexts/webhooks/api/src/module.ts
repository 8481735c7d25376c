import { tagRoutes } from '@steward/http';
import type { Logger } from '@steward/process';
import { sealStoredEndpoints } from '@steward/webhooks';
import { createSealAddresses, onReplica, type Module, type ReplicaDeps } from '@steward/api';
import type { EventWebhooksDeps } from './webhooks-deps.ts';
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

/** Event webhooks: receivers, the delivery log, replay (docs/contract/event-webhooks.md). */
export function createWebhooksModule(deps: EventWebhooksDeps & ReplicaDeps & { readonly logger: Logger }): Module {
  return {
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
    ]),
    components: [
      createSealAddresses({
        of: 'endpoints',
        seal: (signal) => sealStoredEndpoints(deps.db, deps.secretBoxes.webhook, signal),
        logger: deps.logger,
      }),
    ],
  };
}
