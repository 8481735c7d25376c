import type { Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { runLogin, runLogout, type LoginOptions } from './login.ts';

/** Adds `steward login` and `steward logout`. */
export function addLogin(program: Command, context: CliContext): void {
  program
    .command('login')
    .description('check a credential and store it, readable only by you')
    .option('--url <url>', 'URL of the service (default: STEWARD_URL, or a prompt)')
    .option('--username <name>', 'username or email address; the password is prompted for or read from standard input')
    .option('--register <email>', 'create an account first, if the service allows registration')
    .option('--api-key', 'log in with an API key, prompted for or read from standard input')
    .action((options: LoginOptions) => runLogin(context, options));
  program
    .command('logout')
    .description(
      'log out: delete the stored login, and end it on the server; an API key is only deleted on this machine',
    )
    .action(() => runLogout(context));
}
