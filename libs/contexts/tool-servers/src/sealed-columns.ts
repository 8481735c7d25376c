import { describeRowContext, KEY_PURPOSES } from '@steward/crypto';
import type { SealedColumn } from '@steward/database';
import { describeBegunContext, describeGrantContext } from './logins/login-context.ts';
import { describeServerUrlContext } from './servers/rules/server-context.ts';

/** Encrypted columns of this context. */
export const toolServersSealedColumns: readonly SealedColumn[] = [
  {
    table: 'tool_servers.server',
    column: 'headers_sealed',
    key: ['account_id', 'id'],
    describeContext: ({ account_id: accountId = '', id = '' }) => describeRowContext(accountId, id),
    purpose: KEY_PURPOSES.toolServer,
  },
  {
    table: 'tool_servers.server',
    column: 'url_sealed',
    key: ['account_id', 'id'],
    describeContext: ({ account_id: accountId = '', id = '' }) => describeServerUrlContext({ accountId, id }),
    purpose: KEY_PURPOSES.toolServer,
  },
  {
    table: 'tool_servers.granted_login',
    column: 'login_sealed',
    key: ['account_id', 'server_id'],
    describeContext: ({ account_id: accountId = '', server_id: id = '' }) => describeGrantContext({ accountId, id }),
    purpose: KEY_PURPOSES.toolServer,
  },
  {
    table: 'tool_servers.begun_login',
    column: 'login_sealed',
    key: ['id'],
    describeContext: ({ id = '' }) => describeBegunContext(id),
    purpose: KEY_PURPOSES.toolServer,
  },
];
