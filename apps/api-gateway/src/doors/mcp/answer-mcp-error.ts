import type { AnswerError } from '@steward/http';

/** The code of JSON that cannot be read, by JSON-RPC; what is refused before a method is looked at has one for servers to choose. */
const [PARSE_ERROR, SERVER_ERROR] = [-32_700, -32_000];

/** A refusal as clients of the protocol read it. */
export const answerMcpError: AnswerError = ({ code, status, message, detail }, requestId) => ({
  status,
  body: {
    jsonrpc: '2.0',
    id: null,
    error: {
      code: code === 'malformed_json' ? PARSE_ERROR : SERVER_ERROR,
      message,
      data: { code, ...detail, request_id: requestId },
    },
  },
});
