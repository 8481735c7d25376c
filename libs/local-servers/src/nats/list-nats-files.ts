import { renderNatsConfig, type NatsUser } from './render-nats-config.ts';

/** Certificate and key of a server that accepts only TLS, and the CA certificate for its clients, as PEM strings. */
export interface NatsTls {
  readonly cert: string;
  readonly key: string;
  readonly authority: string;
}

export interface NatsFiles {
  readonly arguments: readonly string[];
  /** Files with passwords and keys: only the server may read them. */
  readonly files: readonly { readonly path: string; readonly content: string }[];
}

/** Lists the files that a server reads at its start, by path, and the arguments that refer to them. */
export function listNatsFiles(
  { users, tls }: { readonly users?: readonly NatsUser[] | undefined; readonly tls?: NatsTls | undefined },
  locate: (name: string) => string,
): NatsFiles {
  const named = [
    ...(users === undefined ? [] : [{ flag: '--config', name: 'nats.conf', content: renderNatsConfig(users) }]),
    ...(tls === undefined
      ? []
      : [
          { flag: '--tlscert', name: 'server.pem', content: tls.cert },
          { flag: '--tlskey', name: 'server.key', content: tls.key },
          { flag: '--tlscacert', name: 'clients.pem', content: tls.authority },
        ]),
  ];
  return {
    arguments: [
      ...named.map(({ flag, name }) => `${flag}=${locate(name)}`),
      ...(tls === undefined ? [] : ['--tlsverify']),
    ],
    files: named.map(({ name, content }) => ({ path: locate(name), content })),
  };
}
