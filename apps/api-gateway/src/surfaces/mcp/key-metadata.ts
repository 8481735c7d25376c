import type { IncomingHttpHeaders } from 'node:http';
import { defineForeignRoute, type Route } from '@steward/http';

const METADATA = '/.well-known/oauth-protected-resource';
const DOOR = '/mcp/v1';

const HOST = /^(?:[a-z0-9.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/**
 * Returns the address at which a client reached the service. Clients stop if the metadata names a different address. If
 * the address in the request is invalid, returns `PUBLIC_URL`.
 */
export function readReachedUrl(
  publicUrl: string,
  { host = '', 'x-forwarded-proto': proto }: IncomingHttpHeaders,
): string {
  if (!HOST.test(host) || host === new URL(publicUrl).host) return publicUrl;
  return `${proto === 'https' ? 'https' : 'http'}://${host}`;
}

/** URL of the metadata that tells clients how to authenticate (RFC 9728). */
export const nameMetadata = (reachedUrl: string): string => `${reachedUrl}${METADATA}${DOOR}`;

/**
 * Describes the missing or invalid key in one line of ASCII, because the text is also used in a header.
 * @param isSent - True if a key was sent, but is invalid
 */
export function describeMissingKey(publicUrl: string, isSent: boolean): string {
  const what = isSent ? 'The key that was sent is not valid here.' : 'No API key was sent.';
  return `${what} This server requires a Steward API key in the header Authorization: Bearer KEY, and has no OAuth login. Make a key with: steward keys create --for-agent AGENT, or at ${publicUrl}/settings/api-keys`;
}

/**
 * Creates the routes for clients that were refused. The metadata states that the key has to be sent in a header, and
 * names no authorization server. A client that requests registration anyway gets an error with the same instructions as
 * the refusal (TOOL-30).
 */
export function createKeyMetadataRoutes(publicUrl: string): readonly Route[] {
  return [
    defineForeignRoute({
      method: 'get',
      path: METADATA,
      aliases: [`${METADATA}${DOOR}`],
      auth: 'none',
      summary: 'Read how clients of the Model Context Protocol authenticate (RFC 9728).',
      ignoresQuery: true,
      responses: {},
      handler: ({ headers }) => ({
        status: 200,
        body: {
          resource: `${readReachedUrl(publicUrl, headers)}${DOOR}`,
          resource_name: 'Steward',
          bearer_methods_supported: ['header'],
        },
      }),
    }),
    defineForeignRoute({
      method: 'post',
      path: '/register',
      auth: 'none',
      leavesCallers: true,
      summary: 'Tell clients that request registration (RFC 7591) that there is no OAuth login.',
      ignoresQuery: true,
      bodyKind: 'json-later',
      responses: {},
      handler: () => ({
        status: 400,
        body: { error: 'access_denied', error_description: describeMissingKey(publicUrl, false) },
      }),
    }),
  ];
}
