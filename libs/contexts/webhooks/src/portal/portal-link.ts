/** A link with which a customer manages the endpoints of one group, without access to anything else of the account. */
export interface PortalLink {
  readonly id: string;
  /** Group of endpoints. */
  readonly group: string;
  /** Types to which the endpoints of the portal may subscribe. */
  readonly eventTypes: readonly string[];
  /** Origins of pages that may contain the portal in a frame. */
  readonly frameOrigins: readonly string[];
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** See HOOK-52. */
export const PORTAL_LINK_SECONDS = 3600;

/** Links of an account that have not ended (LIM-104). */
export const MAX_PORTAL_LINKS_PER_ACCOUNT = 500;

/** Endpoints of a group up to which the holder of a link may create further ones (LIM-106). */
export const MAX_ENDPOINTS_PER_GROUP = 5;

export const MAX_GROUP_LENGTH = 100;
export const MAX_FRAME_ORIGINS = 10;
