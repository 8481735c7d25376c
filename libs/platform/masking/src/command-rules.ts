import { isNoReference } from './context-rules.ts';

/** A rule for a credential among the options of a command. */
export interface CommandRule {
  readonly id: string;
  readonly commands: readonly string[];
  /**
   * Pattern of the option, with the flags `dg`; the group `q`, `s` or `b` is masked. It is applied to the text between
   * the command's name and the end of the command.
   */
  readonly option: RegExp;
  readonly isCredential: (secret: string) => boolean;
}

const VALUE = String.raw`(?:"\s{0,4}(?<q>[^"\n]{3,512})"|'(?<s>[^'\n]{3,512})'|(?<b>[^\s"'$<>|;&]{3,512}))`;
const PAIR = String.raw`(?:"\s{0,4}(?<q>[^"\n=]{1,128}=[^"\n]{3,4096})"|'(?<s>[^'\n=]{1,128}=[^'\n]{3,4096})'|(?<b>[^\s"'$<>|;&=]{1,128}=[^\s"'$<>|]{3,4096}))`;

const command = (id: string, commands: string, option: string, value = VALUE): CommandRule => ({
  id,
  commands: commands.split('|'),
  option: new RegExp(String.raw`(?<=\s)${option}${value}`, 'dg'),
  isCredential: isNoReference,
});

export const COMMAND_RULES: readonly CommandRule[] = [
  {
    ...command(
      'curl-user',
      'curl|wget|http|https|xh',
      String.raw`(?:-u|--user|--proxy-user|-U)(?:[= \t]{1,12}|(?=["']))`,
    ),
    isCredential: isUserWithPassword,
  },
  // Quotes may surround the parts: `--user name:'password'`.
  command(
    'curl-user',
    'curl|wget',
    String.raw`(?:-u|--user|--proxy-user|-U)[= \t]{1,12}`,
    String.raw`(?<b>(?:"[^"\n]{1,128}"|'[^'\n]{1,128}'|[^\s"'$<>|;&:]{1,128}):(?:"[^"\n$]{3,512}"|'[^'\n]{3,512}'))`,
  ),
  command(
    'curl-header',
    'curl',
    String.raw`(?:-H|--header)[= \t]{1,12}["'](?:[\w-]{0,40}-)?(?:[Tt]oken|TOKEN|[Kk]ey|KEY|[Ss]ecret|SECRET)\s{0,4}:\s{0,4}`,
    String.raw`(?<b>[^\s"'$<>|;&]{6,512})`,
  ),
  command('curl-cookie', 'curl', String.raw`(?:-b|--cookie)[= \t]{1,12}`, PAIR),
  command('mysql', 'mysql|mysqldump|mysqladmin|mysqlimport|mariadb|mariadb-dump', '-p(?=[^ ])'),
  command('sshpass', 'sshpass', String.raw`-p[ \t]{0,12}`),
  command('redis-cli', 'redis-cli', String.raw`-a[ \t]{1,12}`),
  command(
    'login',
    'az|docker|podman|helm|nerdctl|buildah|skopeo|oc|cf|heroku|kubelogin',
    String.raw`(?<=\slogin\s[^\n]{0,256})(?:-p|-P)[ \t]{1,12}`,
  ),
  command(
    'database-client',
    'mongo|mongosh|mongodump|mongorestore|sqlcmd|clickhouse-client|twine',
    String.raw`(?:-p|-P)[ \t]{1,12}(?!\d{1,5}(?:\s|$)|-)`,
  ),
  command('archive', '7z|7za|unzip|zip', String.raw`(?:-p(?=\S)|-P[ \t]{1,12})`),
  command('ldap', 'ldapsearch|ldapadd|ldapmodify|ldapdelete|ldapwhoami', String.raw`-w[ \t]{1,12}`),
  command('smb', 'smbclient|rpcclient', String.raw`-U[ \t]{1,12}[^\s%"']{1,64}%`),
  command(
    'htpasswd',
    'htpasswd',
    String.raw`-[a-zA-Z]{0,4}b[a-zA-Z]{0,4}[ \t]{1,12}\S{1,256}[ \t]{1,12}\S{1,128}[ \t]{1,12}`,
  ),
  command('openssl', 'openssl', String.raw`-pass(?:in|out)?[ \t]{1,12}["']?pass:`),
  command('keytool', 'keytool|jarsigner', String.raw`-(?:storepass|keypass|srcstorepass|deststorepass)[ \t]{1,12}`),
  { ...command('ngrok', 'ngrok', String.raw`(?:add-)?(?:authtoken|api-key)[ \t]{1,12}`), isCredential: hasDigit },
  command('npm-config', 'npm|pnpm|yarn', String.raw`\S{0,256}_(?:authToken|auth|password)[= \t]{1,12}`),
  command('vault-login', 'vault', String.raw`(?:login|unseal)[ \t]{1,12}(?!-)`),
];

/**
 * Returns whether the value of the option contains a credential. If only a user name is given, the program prompts for
 * the password; a key in place of the name is recognized by its length and its digits.
 */
function isUserWithPassword(value: string): boolean {
  const colon = value.indexOf(':');
  if (colon < 0) return isNoReference(value) && /^(?=.*\d)[A-Za-z0-9_-]{16,}$/.test(value);
  return isNoReference(value) && isNoReference(value.slice(colon + 1)) && !value.startsWith('[', colon + 1);
}

function hasDigit(value: string): boolean {
  return isNoReference(value) && /\d/.test(value);
}
