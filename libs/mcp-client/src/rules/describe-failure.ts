import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { AppError } from '@steward/contracts';
import { classifyFailure, mayHaveBeenSent } from '@steward/egress';
import { ANSWER_LOST } from '../call-transport.ts';
import type { ToolServerTarget } from '../tool-server-client.ts';

type Failed = Pick<ToolServerTarget, 'name' | 'isProgram'>;

const MAX_CAUSES = 5;

/**
 * Converts a failure of a server to an error with Steward's own message, which contains neither data from the server
 * nor headers of the request.
 * @param isCalled - true if a call was sent; if its tool may have run, the message contains a warning
 */
export function describeFailure(error: unknown, server: Failed, isCalled = false): AppError {
  const own = findOwn(error);
  if (own !== undefined) return own;
  const warning = isCalled && mayHaveRun(error) ? ' The tool may have run: check this before you call it again.' : '';
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
    return new AppError('provider_timeout', {
      message: `The tool server ${server.name} did not respond in time.${warning}`,
      cause: error,
    });
  return refuse(server, `${explain(error, server)}.${warning}`, error);
}

/** Returns the error for a response whose HTTP status does not report success. */
export function describeStatus(status: number, server: Failed): AppError {
  return refuse(server, `${explainStatus(status, server)}.`);
}

function refuse({ name }: Failed, why: string, cause?: unknown): AppError {
  return new AppError('provider_unreachable', { message: `The tool server ${name} cannot be used: ${why}`, cause });
}

/** Returns Steward's own error if the SDK wrapped one, for example if no token could be obtained. */
function findOwn(error: unknown): AppError | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < MAX_CAUSES; at = at.cause, depth += 1)
    if (at instanceof AppError) return at;
  return undefined;
}

function mayHaveRun(error: unknown): boolean {
  if (error instanceof SdkHttpError) return error.status >= 500;
  if (error instanceof SdkError && !hasCause(error)) return true;
  return error instanceof ProtocolError || mayHaveBeenSent(classifyFailure(error));
}

function explain(error: unknown, server: Failed): string {
  // This error contains a message of the client's own transport.
  if (error instanceof ProtocolError && error.code === ANSWER_LOST) return error.message;
  if (error instanceof SdkHttpError) return explainStatus(error.status, server);
  if (error instanceof SdkError && !hasCause(error)) return `it violates the protocol (${error.code})`;
  return classifyFailure(error).error;
}

function hasCause({ cause }: Error): boolean {
  return cause !== undefined && cause !== null;
}

/**
 * Explains the status of a response; if the tool server is a program, the flow worker that runs it has sent this
 * status.
 */
function explainStatus(status: number, { isProgram }: Failed): string {
  if (status === 401)
    return isProgram === true
      ? 'the flow worker that runs it responds with 401: its FLOW_SECRET_KEY is not that of the API, or its clock differs by more than a minute'
      : 'the response was 401: the server requires a key in its headers, or a login (OAuth)';
  if (status === 503 && isProgram === true)
    return 'the flow worker that runs it responds with 503: it already runs its maximum number of programs, or this program exits as soon as it is started (see its log)';
  return `the response was ${status}`;
}
