import type { AuthorizationServerMetadata, OAuthClientInformationMixed } from '@modelcontextprotocol/client';

/** How the service is known at an authorization server. */
export interface LoginClient {
  readonly client_id: string;
  readonly client_secret?: string | undefined;
}

interface LoginParties {
  /** Of the authorization server. */
  readonly issuer: string;
  readonly metadata?: AuthorizationServerMetadata;
  readonly client: OAuthClientInformationMixed;
  /** Whom tokens are for (RFC 8707). */
  readonly resource?: string;
  readonly scope?: string;
}

/** A login between its two steps: as JSON, it is kept sealed. */
export interface BegunLogin extends LoginParties {
  readonly codeVerifier: string;
  readonly redirectUrl: string;
}

/** What a login came to: as JSON, it is kept sealed. */
export interface GrantedLogin extends LoginParties {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** Milliseconds; undefined: nobody said. */
  readonly expiresAt?: number;
}

export interface LoginRequest {
  readonly state: string;
  readonly redirectUrl: string;
  /** Undefined: the service is registered, where the server allows that (RFC 7591). */
  readonly client: LoginClient | undefined;
  /** Undefined: what the server asks for. */
  readonly scope: string | undefined;
}
