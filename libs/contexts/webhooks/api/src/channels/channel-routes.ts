import { onReplica, type ReplicaDeps } from '@steward/api';
import { tagRoutes, type Route } from '@steward/http';
import type { EventWebhooksDeps } from '../webhooks-deps.ts';
import { createCreateChannelRoute } from './create-channel.ts';
import { createDeleteChannelRoute } from './delete-channel.ts';
import { createListChannelsRoute, createReadChannelRoute } from './read-channels.ts';
import { createTestChannelRoute } from './test-channel.ts';
import { createUpdateChannelRoute } from './update-channel.ts';

/** Creates the routes for notice channels (docs/contract/notices.md). */
export function createChannelRoutes(deps: EventWebhooksDeps & ReplicaDeps): Route[] {
  return tagRoutes('notice-channels', [
    createCreateChannelRoute(deps),
    onReplica(createListChannelsRoute, deps),
    createReadChannelRoute(deps),
    createUpdateChannelRoute(deps),
    createDeleteChannelRoute(deps),
    createTestChannelRoute(deps),
  ]);
}
