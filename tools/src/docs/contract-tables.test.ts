import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  AUDIT_RESOURCE_TYPES,
  DEGRADED_REASONS,
  ERROR_CODES,
  EVENT_TYPES,
  listSystemRolePermissions,
  PERMISSIONS,
  SESSION_CONTENT_KINDS,
  SOURCE_KINDS,
  SYSTEM_ROLES,
} from '@steward/contracts';
import { WORKSPACE_ROOT } from '../workspace.ts';

const readPage = (name: string): string => readFileSync(resolve(WORKSPACE_ROOT, 'docs/contract', name), 'utf8');
const rowsOf = (page: string): string[][] =>
  [...page.matchAll(/^\|(.*)\|$/gm)].map(([, row = '']) => row.split('|').map((cell) => cell.trim()));
/** Returns the names in backticks that the rule lists. */
const namesIn = (page: string, rule: string): string[] => {
  const text = new RegExp(String.raw`^- \*\*${rule}\*\*(.*?)(?=^- |^#|$(?![^]))`, 'ms').exec(readPage(page))?.[1] ?? '';
  return [...text.matchAll(/`([a-z_.]+)`/g)].map(([, name = '']) => name);
};
const REASONS_BESIDE = new Set(['degraded.reasons', 'semantic']);

describe('tables of the contract', () => {
  it('name exactly the error codes, each with its status', () => {
    const stated = rowsOf(readPage('errors.md')).flatMap(([code = '', status]) =>
      code.startsWith('`') ? [[code.slice(1, -1), Number(status)]] : [],
    );
    const known = Object.entries(ERROR_CODES).map(([code, { status }]) => [code, status]);
    expect(stated.sort()).toEqual(known.sort());
  });

  it('name every permission with the roles that have it', () => {
    const stated = rowsOf(readPage('accounts-and-access.md')).flatMap(([names = '', roles = '']) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => [name, readRoles(roles)] as const),
    );
    const known = PERMISSIONS.map((permission) => [
      permission,
      SYSTEM_ROLES.filter((role) => listSystemRolePermissions(role).includes(permission)),
    ]);
    expect(Object.fromEntries(stated)).toEqual(Object.fromEntries(known));
  });

  it('name exactly the degraded reasons of the search', () => {
    const stated = [...namesIn('search.md', 'SRCH-24'), ...namesIn('search.md', 'SRCH-31')];
    expect(stated.filter((name) => !REASONS_BESIDE.has(name)).sort()).toEqual(Object.keys(DEGRADED_REASONS).sort());
  });

  it('name a remedy for each of these reasons, in the guide', () => {
    const guide = readFileSync(resolve(WORKSPACE_ROOT, 'docs/use/search.md'), 'utf8');
    const told = rowsOf(guide).flatMap(([name = '']) => /^`([a-z_]+)`$/.exec(name)?.slice(1) ?? []);
    expect(told.filter((name) => Object.hasOwn(DEGRADED_REASONS, name)).sort()).toEqual(
      Object.keys(DEGRADED_REASONS).sort(),
    );
  });

  it('name exactly the source kinds of chunks', () => {
    expect(namesIn('corpus.md', 'CORP-2')).toEqual(SOURCE_KINDS);
  });

  it('name exactly the kinds of content a session can contain', () => {
    expect(namesIn('runtime-sessions.md', 'SESS-9')).toEqual(SESSION_CONTENT_KINDS);
  });

  it('name exactly the resources of the audit log', () => {
    expect(namesIn('accounts-and-access.md', 'ACC-42')).toEqual(['resource_type', ...AUDIT_RESOURCE_TYPES]);
  });

  it('name exactly the event types', () => {
    expect(namesIn('events.md', 'EVT-9').sort()).toEqual(Object.keys(EVENT_TYPES).sort());
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
