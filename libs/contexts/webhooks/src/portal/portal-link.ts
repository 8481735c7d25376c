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

/** Lifetime of a portal link (HOOK-52). */
export const PORTAL_LINK_SECONDS = 3600;

/** Maximum number of links of an account that have not expired (LIM-104). */
export const MAX_PORTAL_LINKS_PER_ACCOUNT = 500;

/** Maximum number of endpoints of a group, checked when the holder of a link creates an endpoint (LIM-106). */
export const MAX_ENDPOINTS_PER_GROUP = 5;

export const MAX_GROUP_LENGTH = 100;
export const MAX_FRAME_ORIGINS = 10;
