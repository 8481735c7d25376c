import { parseArgs } from 'node:util';
import { renderNatsConfig } from '@steward/local-servers';
import { listBrokerUsers } from './broker-users.ts';

const HELP = `npm run -s broker-config > nats-users.conf

Prints the users of the broker with their permissions as configuration of nats-server 2.9 or newer. Include the file in the server's
configuration. It also enables JetStream. Passwords come from environment variables of the server, whose names are in the file. The
server parses their values as configuration, so put double quotes around them, inside the variable
(NATS_PASSWORD_OPERATOR='"..."'). 64 hexadecimal characters are a good password (openssl rand -hex 32).

Each app then gets NATS_URL_FILE with nats://APP:PASSWORD@HOST:4222, npm run migrate gets the same for the user "operator".
The permissions are explained in docs/operate/network.md.`;

/** Runs `npm run broker-config`. */
const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h', default: false } } });
console.log(values.help ? HELP : renderBrokerConfig());

function renderBrokerConfig(): string {
  const users = listBrokerUsers((user) => ({
    variable: `NATS_PASSWORD_${user.toUpperCase().replaceAll('-', '_')}`,
  }));
  return `# Made by "npm run broker-config" from the message catalog; run it again with each release.\n${renderNatsConfig(users)}`;
}
