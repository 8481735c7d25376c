import type { IncomingHttpHeaders } from 'node:http';
import type { AnswerError } from '@steward/http';
import { describeMissingKey, nameMetadata, readReachedUrl } from './key-metadata.ts';

/** The code of JSON that cannot be read, by JSON-RPC; what is refused before a method is looked at has one for servers to choose. */
const [PARSE_ERROR, SERVER_ERROR] = [-32_700, -32_000];

/** A refusal as clients of the protocol read it; of one without a good key they show what is to be done (TOOL-30). */
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

/** By RFC 6750 and 9728: what is wrong with a key is said where one was sent. */
function describeChallenge(publicUrl: string, headers: IncomingHttpHeaders): string {
  const words = describeMissingKey(publicUrl, true);
  const parts = headers.authorization === undefined ? [] : ['error="invalid_token"', `error_description="${words}"`];
  return `Bearer ${['realm="Steward"', ...parts, `resource_metadata="${nameMetadata(readReachedUrl(publicUrl, headers))}"`].join(', ')}`;
}
