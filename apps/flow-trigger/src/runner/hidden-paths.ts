import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';

/** Folders in which container engines mount secrets by convention. */
const SECRET_FOLDERS = ['/run/secrets', '/var/run/secrets'];
/** Credentials of the worker's user: only an agent with the same user could read them. */
const HOME_FOLDERS = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.kube',
  '.docker',
  '.config',
  '.local/share/keyrings',
  '.vault',
  '.terraform.d',
  '.password-store',
  '.mozilla',
];
const HOME_FILES = [
  '.netrc',
  '.npmrc',
  '.pgpass',
  '.git-credentials',
  '.pypirc',
  '.my.cnf',
  '.vault-token',
  '.bash_history',
  '.zsh_history',
  '.cargo/credentials.toml',
  '.m2/settings.xml',
  '.terraformrc',
];
/** Sockets and folders through which a program that runs as the worker's user can gain further privileges. */
const DOORS = ['/run/docker.sock', '/run/podman', '/run/containerd', '/run/user', '/run/dbus', '/run/systemd/private'];
/**
 * Sockets through which a program can reach destinations outside its own network: those of local servers, and of
 * services that resolve names, print or send email on behalf of other programs.
 */
const WAYS_OUT = [
  ...DOORS,
  '/run/postgresql',
  '/run/mysqld',
  '/run/redis',
  '/run/memcached',
  '/run/nscd',
  '/run/avahi-daemon',
  '/run/cups',
  '/run/systemd/resolve',
  '/var/spool/postfix/public',
];

const LARGEST_BUNDLE_BYTES = 4 * 1024 * 1024;

export interface HiddenPaths {
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

export interface HideRequest {
  readonly environment: NodeJS.ProcessEnv;
  /** Value of `FLOW_HIDE_PATHS`. */
  readonly wanted: readonly string[];
  readonly evidenceDirectory: string;
  /**
   * Whether agents run as the worker's user; `DOORS`, the socket of its SSH agent, and the usual paths of credentials
   * in its home are then hidden, too.
   */
  readonly isSameUser: boolean;
  /** Whether agents have their own network. */
  readonly hasOwnNetwork: boolean;
}

/** Returns all existing paths that programs of a run must not reach: canonical, and none inside another. */
export function findHiddenPaths(request: HideRequest): HiddenPaths {
  const { environment, wanted, evidenceDirectory, isSameUser, hasOwnNetwork } = request;
  const given = Object.entries(environment).flatMap(([name, value]) =>
    name.endsWith('_FILE') && value !== undefined && isAbsolute(value) && !holdsOnlyCertificates(value) ? [value] : [],
  );
  const home = environment.HOME;
  const own = !isSameUser
    ? []
    : [
        ...DOORS,
        ...(environment.SSH_AUTH_SOCK === undefined ? [] : [environment.SSH_AUTH_SOCK]),
        ...(home === undefined ? [] : [...HOME_FOLDERS, ...HOME_FILES].map((name) => resolve(home, name))),
      ];
  const waysOut = hasOwnNetwork ? WAYS_OUT : [];
  const all = new Set(
    [...SECRET_FOLDERS, ...waysOut, ...wanted, evidenceDirectory, ...given, ...own].flatMap(canonical),
  );
  all.delete('/');
  const outermost = [...all].filter((path) => !listAncestors(path).some((ancestor) => all.has(ancestor)));
  const folders = outermost.filter((path) => statSync(path).isDirectory());
  return { folders, files: outermost.filter((path) => !folders.includes(path)) };
}

/**
 * Returns whether a file contains only certificates. The certificate authorities of `SSL_CERT_FILE` and similar
 * variables are not secret, and without them TLS fails in all programs of a run.
 */
function holdsOnlyCertificates(path: string): boolean {
  try {
    if (statSync(path).size > LARGEST_BUNDLE_BYTES) return false;
    const text = readFileSync(path, 'latin1');
    return text.includes('-----BEGIN CERTIFICATE-----') && !text.includes('PRIVATE KEY-----');
  } catch {
    return false;
  }
}

/** Returns the folders above a path, the outermost first, without the root. */
export function listAncestors(path: string): string[] {
  const parent = dirname(path);
  return parent === '/' || parent === path ? [] : [...listAncestors(parent), parent];
}

function canonical(path: string): string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}
