import type { AuthorizationServerMetadata, OAuthClientInformationMixed } from '@modelcontextprotocol/client';

/** Registration of Steward at an authorization server. */
export interface LoginClient {
  readonly client_id: string;
  readonly client_secret?: string | undefined;
}

interface LoginParties {
  /** Issuer URL of the authorization server. */
  readonly issuer: string;
  readonly metadata?: AuthorizationServerMetadata;
  readonly client: OAuthClientInformationMixed;
  /** Audience of the tokens (RFC 8707). */
  readonly resource?: string;
  readonly scope?: string;
}

/** A login between `begin` and `finish`; stored as encrypted JSON. */
export interface BegunLogin extends LoginParties {
  readonly codeVerifier: string;
  readonly redirectUrl: string;
}

/** Result of a login; stored as encrypted JSON. */
export interface GrantedLogin extends LoginParties {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** Expiry of the access token in milliseconds since 1970; undefined if unknown. */
  readonly expiresAt?: number;
}

export interface LoginRequest {
  readonly state: string;
  readonly redirectUrl: string;
  /** Registration of Steward; if undefined, Steward registers itself, if the server allows that (RFC 7591). */
  readonly client: LoginClient | undefined;
  /** Scopes to request; if undefined, those that the server advertises are used. */
  readonly scope: string | undefined;
}
