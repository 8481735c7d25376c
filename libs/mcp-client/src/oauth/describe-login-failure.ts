import { OAuthError, RegistrationRejectedError } from '@modelcontextprotocol/client';
import { AppError } from '@steward/contracts';
import { classifyFailure } from '@steward/egress';

/** Error for tokens that are permanently invalid: a user has to log in again. */
export class LoginEndedError extends Error {
  /** True if the authorization server does not recognize Steward as a client, or rejects its secret. */
  readonly isOfClient: boolean;

  constructor(isOfClient = false) {
    super('the login has ended');
    this.isOfClient = isOfClient;
  }
}

/** Matches codes of RFC 6749 and extensions: only a single word is accepted, so that the server cannot inject text. */
const CODE = /^[a-z_]{1,40}$/;
const OF_CLIENT = new Set(['invalid_client', 'unauthorized_client']);
const ENDED = new Set(['invalid_grant', ...OF_CLIENT]);

/** Describes the failure without including messages from the server. */
export function describeLoginFailure(error: unknown, server: string): Error {
  if (error instanceof AppError || error instanceof LoginEndedError) return error;
  const code = error instanceof OAuthError && CODE.test(error.code) ? error.code : undefined;
  if (code !== undefined && ENDED.has(code)) return new LoginEndedError(OF_CLIENT.has(code));
  const why = explain(error, code);
  return new AppError('provider_unreachable', {
    message: `The login of the tool server ${server} failed: ${why}.`,
    cause: error,
  });
}

function explain(error: unknown, code: string | undefined): string {
  if (error instanceof RegistrationRejectedError || /registration/i.test((error as Error).message))
    return 'its authorization server does not register clients automatically: set a client_id that was created there';
  if (code !== undefined) return `its authorization server responds with ${code}`;
  if (/Incompatible auth server|does not match expected|issuer/i.test((error as Error).message))
    return 'the metadata of its authorization server does not conform to the protocol';
  return classifyFailure(error).error;
}
