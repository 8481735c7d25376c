/** A user of a NATS server, with permissions; subjects are in NATS notation. */
export interface NatsUser {
  readonly name: string;
  /** The password, or the name of the server's environment variable that contains it. */
  readonly password: string | { readonly variable: string };
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/**
 * Time limit for a login in seconds: the server's default of one second is too short on a machine on which all
 * processes start at the same time.
 */
const LOGIN_SECONDS = 10;

/**
 * Renders the part of a server's configuration that allows only these users (nats-server 2.9 or newer). The system
 * account has no user, so no client can log in to it.
 */
export function renderNatsConfig(users: readonly NatsUser[]): string {
  return [
    'authorization {',
    `  timeout: ${LOGIN_SECONDS}`,
    '  users = [',
    ...users.flatMap(renderUser),
    '  ]',
    '}',
    '',
  ].join('\n');
}

function renderUser({ name, password, publish, subscribe }: NatsUser): string[] {
  return [
    '    {',
    `      user: ${quote(name)}`,
    `      password: ${typeof password === 'string' ? quote(password) : `$${password.variable}`}`,
    '      permissions: {',
    ...renderAllowed('publish', publish),
    ...renderAllowed('subscribe', subscribe),
    '      }',
    '    }',
  ];
}

function renderAllowed(verb: string, subjects: readonly string[]): string[] {
  return [
    `        ${verb}: {`,
    '          allow: [',
    ...subjects.map((subject) => `            ${quote(subject)}`),
    '          ]',
    '        }',
  ];
}

/**
 * Quotes a string. The format has the same escape sequences as JSON, but they are not supported here: no valid name,
 * password or subject needs an escape sequence.
 */
function quote(text: string): string {
  if (!/^[\x21-\x7e]+$/.test(text) || /["\\]/.test(text))
    throw new Error('the name, the password or a subject of a NATS user contains characters that are not allowed');
  return `"${text}"`;
}
