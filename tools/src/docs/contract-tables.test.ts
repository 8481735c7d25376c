import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  DEGRADED_REASONS,
  ERROR_CODES,
  EVENT_TYPES,
  listSystemRolePermissions,
  PERMISSIONS,
  SOURCE_KINDS,
  SYSTEM_ROLES,
} from '@steward/contracts';
import { SESSION_CONTENT_KINDS } from '@steward/slice-sessions';
import { WORKSPACE_ROOT } from '../workspace.ts';

const readPage = (name: string): string => readFileSync(resolve(WORKSPACE_ROOT, 'docs/contract', name), 'utf8');
const rowsOf = (page: string): string[][] =>
  [...page.matchAll(/^\|(.*)\|$/gm)].map(([, row = '']) => row.split('|').map((cell) => cell.trim()));

describe('tables of the contract', () => {
  it('name every error code with its status, and no other', () => {
    const stated = rowsOf(readPage('errors.md')).flatMap(([code = '', status]) =>
      code.startsWith('`') ? [[code.slice(1, -1), Number(status)]] : [],
    );
    const known = Object.entries(ERROR_CODES).map(([code, { status }]) => [code, status]);
    expect(stated.sort()).toEqual(known.sort());
  });

  it('name every permission with the roles that carry it', () => {
    const stated = rowsOf(readPage('accounts-and-access.md')).flatMap(([names = '', roles = '']) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => [name, readRoles(roles)] as const),
    );
    const known = PERMISSIONS.map((permission) => [
      permission,
      SYSTEM_ROLES.filter((role) => listSystemRolePermissions(role).includes(permission)),
    ]);
    expect(Object.fromEntries(stated)).toEqual(Object.fromEntries(known));
  });

  it('name every reason for which a part of a search did not run', () => {
    const page = readPage('search.md');
    expect(Object.keys(DEGRADED_REASONS).filter((reason) => !page.includes(`\`${reason}\``))).toEqual([]);
  });

  it('name every kind of chunk', () => {
    const page = readPage('corpus.md');
    expect(SOURCE_KINDS.filter((kind) => !page.includes(`\`${kind}\``))).toEqual([]);
  });

  it('name every kind of content a session holds', () => {
    const page = readPage('runtime-sessions.md');
    expect(SESSION_CONTENT_KINDS.filter((kind) => !page.includes(`\`${kind}\``))).toEqual([]);
  });

  it('name every event type', () => {
    const page = readPage('events.md');
    expect(Object.keys(EVENT_TYPES).filter((type) => !page.includes(`\`${type}\``))).toEqual([]);
  });
});

function readRoles(text: string): string[] {
  const [list = ''] = text.split(/[:;]/);
  if (list === 'none') return [];
  const except = list.replace(/^all( but)? ?/, '').split(/,? /);
  return SYSTEM_ROLES.filter((role) =>
    list.startsWith('all') ? !except.includes(role) : list.split(', ').includes(role),
  );
}
