import { parseArgs } from 'node:util';
import { renderNatsConfig } from '@steward/local-servers';
import { listBrokerUsers } from './broker-users.ts';

const HELP = `npm run -s broker-config > nats-users.conf

Prints the users of the broker and what each may do, as a nats-server (2.9 or newer) reads it: include the file in its
configuration, which also switches JetStream on. Passwords come from variables of the server's environment, which are named
in the file. The server reads their values as its configuration: put double quotes around them, inside the variable
(NATS_PASSWORD_OPERATOR='"..."'). 64 hexadecimal characters are a good password (openssl rand -hex 32).

Each app then gets NATS_URL_FILE with nats://APP:PASSWORD@HOST:4222, npm run migrate the same for the user "operator".
docs/operate/network.md says what the permissions are for.`;

/** `npm run broker-config`. */
const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h', default: false } } });
console.log(values.help ? HELP : renderBrokerConfig());

function renderBrokerConfig(): string {
  const users = listBrokerUsers((user) => ({
    variable: `NATS_PASSWORD_${user.toUpperCase().replaceAll('-', '_')}`,
  }));
  return `# Made by "npm run broker-config" from the message catalogue; make it anew with each release.\n${renderNatsConfig(users)}`;
}
