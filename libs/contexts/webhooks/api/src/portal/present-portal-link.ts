import type { Static } from '@sinclair/typebox';
import type { PortalLink } from '@steward/webhooks';
import type { PortalLinkAnswer } from './portal-schemas.ts';

export function presentPortalLink(link: PortalLink): Static<typeof PortalLinkAnswer> {
  return {
    id: link.id,
    group: link.group,
    event_types: [...link.eventTypes],
    frame_origins: [...link.frameOrigins],
    created_at: link.createdAt.toISOString(),
    expires_at: link.expiresAt.toISOString(),
  };
}
