import { Type } from '@sinclair/typebox';
import { nullable } from '@steward/http';

const Text = (maxLength: number, description: string) => Type.String({ minLength: 1, maxLength, description });

export const ConnectBody = Type.Object(
  {
    client_id: Type.Optional(
      Text(500, 'How the service is known at the authorization server; left out, it is registered there (RFC 7591).'),
    ),
    client_secret: Type.Optional(Text(2000, 'With it; stored encrypted and never returned.')),
    scope: Type.Optional(Text(2000, 'Separated by blanks; left out: what the server asks for.')),
    redirect_uri: Type.Optional(
      Text(
        500,
        'Where the person comes back to: left out, the console; else an address of this machine (http://127.0.0.1:PORT/...), for programs.',
      ),
    ),
  },
  { additionalProperties: false },
);

export const ConnectAnswer = Type.Object({
  authorization_url: Type.String({ description: 'The page where the person logs in and agrees.' }),
  redirect_uri: Type.String({ description: 'Where it sends the person to, with `code` and `state`.' }),
  expires_at: Type.String({ format: 'date-time', description: 'Until then.' }),
});

export const FinishBody = Type.Object(
  {
    state: Text(500, 'As it came back.'),
    code: Type.Optional(Text(8000, 'As it came back.')),
    iss: Type.Optional(Text(2000, 'As it came back, where it did (RFC 9207).')),
    error: Type.Optional(Text(500, 'As it came back, in place of a code.')),
  },
  { additionalProperties: false },
);

export const LoginState = nullable(
  Type.Object({
    issuer: Type.String({ description: 'The authorization server.' }),
    scope: nullable(Type.String(), 'What was agreed to, where it says so.'),
    expires_at: nullable(
      Type.String({ format: 'date-time' }),
      'When its token ends; it is renewed by itself where the server allows that.',
    ),
    connected_by: Type.String({ format: 'uuid', description: 'The person who logged in.' }),
    connected_at: Type.String({ format: 'date-time' }),
    ended: Type.Boolean({ description: 'Its token is gone for good: somebody has to connect it again.' }),
  }),
  'The login (OAuth) that it is asked with; null: none.',
);
