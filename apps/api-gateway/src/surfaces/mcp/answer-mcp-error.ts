import type { IncomingHttpHeaders } from 'node:http';
import type { AnswerError } from '@steward/http';
import { describeMissingKey, nameMetadata, readReachedUrl } from './key-metadata.ts';

/**
 * The JSON-RPC code for invalid JSON, and a server-defined one for requests that are refused before the method is
 * known.
 */
const [PARSE_ERROR, SERVER_ERROR] = [-32_700, -32_000];

/**
 * Creates the function that builds an error response in the format that clients of the protocol expect; without a valid
 * key, the response tells the user what to do (TOOL-30).
 */
export function createAnswerMcpError(publicUrl: string): AnswerError {
  return ({ code, status, message, detail }, requestId, headers) => ({
    status,
    ...(status === 401 ? { headers: { 'WWW-Authenticate': describeChallenge(publicUrl, headers) } } : {}),
    body: {
      jsonrpc: '2.0',
      id: null,
      error: {
        code: code === 'malformed_json' ? PARSE_ERROR : SERVER_ERROR,
        message:
          code === 'unauthenticated' ? describeMissingKey(publicUrl, headers.authorization !== undefined) : message,
        data: { code, ...detail, request_id: requestId },
      },
    },
  });
}

/** Returns the value of `WWW-Authenticate` (RFC 6750 and 9728); it describes the error only if a key was sent. */
function describeChallenge(publicUrl: string, headers: IncomingHttpHeaders): string {
  const words = describeMissingKey(publicUrl, true);
  const parts = headers.authorization === undefined ? [] : ['error="invalid_token"', `error_description="${words}"`];
  return `Bearer ${['realm="Steward"', ...parts, `resource_metadata="${nameMetadata(readReachedUrl(publicUrl, headers))}"`].join(', ')}`;
}
