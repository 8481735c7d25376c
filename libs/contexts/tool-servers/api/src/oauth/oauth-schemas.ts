import { Type } from '@sinclair/typebox';
import { nullable } from '@steward/http';

const Text = (maxLength: number, description: string) => Type.String({ minLength: 1, maxLength, description });

export const ConnectBody = Type.Object(
  {
    client_id: Type.Optional(
      Text(
        500,
        'Client id of this service at the authorization server. If it is omitted, the service registers itself there (RFC 7591).',
      ),
    ),
    client_secret: Type.Optional(Text(2000, 'Client secret; stored encrypted and never returned.')),
    scope: Type.Optional(
      Text(
        2000,
        'Scopes, separated by spaces; default: the scopes that the tool server requests or, if it requests none, supports.',
      ),
    ),
    redirect_uri: Type.Optional(
      Text(
        500,
        'URL to which the browser is redirected after the login. Default: the console. Command-line programs use a loopback address (http://127.0.0.1:PORT/...).',
      ),
    ),
  },
  { additionalProperties: false },
);

export const ConnectAnswer = Type.Object({
  authorization_url: Type.String({ description: 'URL of the page where the person logs in and grants access.' }),
  redirect_uri: Type.String({
    description: 'URL to which the login page redirects the browser, with the parameters `code` and `state`.',
  }),
  expires_at: Type.String({ format: 'date-time', description: 'Time by which the login must be finished.' }),
});

export const FinishBody = Type.Object(
  {
    state: Text(500, 'The `state` parameter that `redirect_uri` received.'),
    code: Type.Optional(Text(8000, 'The `code` parameter that `redirect_uri` received.')),
    iss: Type.Optional(Text(2000, 'The `iss` parameter that `redirect_uri` received, if any (RFC 9207).')),
    error: Type.Optional(Text(500, 'The `error` parameter that `redirect_uri` received in place of a code.')),
  },
  { additionalProperties: false },
);

export const LoginState = nullable(
  Type.Object({
    issuer: Type.String({ description: 'The authorization server.' }),
    scope: nullable(Type.String(), 'Granted scopes, if the authorization server reports them.'),
    expires_at: nullable(
      Type.String({ format: 'date-time' }),
      'Expiry of the token; the service renews the token automatically if the authorization server allows this.',
    ),
    connected_by: Type.String({ format: 'uuid', description: 'Id of the user who logged in.' }),
    connected_at: Type.String({ format: 'date-time' }),
    ended: Type.Boolean({
      description: 'Whether the token can no longer be used or renewed; if so, a person has to log in again.',
    }),
  }),
  'Login (OAuth) used for calls to the server; null if there is none.',
);
