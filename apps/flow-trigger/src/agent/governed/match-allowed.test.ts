import { matchesAllowed } from './match-allowed.ts';

const SHORTENED = { name: 'files__files_read_k2m9q0za', _meta: { 'steward/also_named': ['files__files.read'] } };

describe('the tools allowed by a flow (TOOL-15, EXEC-24)', () => {
  it.each([
    ['ops__deploy', { name: 'ops__deploy' }, true],
    ['ops__*', { name: 'ops__deploy' }, true],
    ['ops__dep', { name: 'ops__deploy' }, false],
    ['ops__deploy', { name: 'ops__deploy', _meta: { 'steward/also_named': 'ops__x' } }, true],
    ['files__files_read_k2m9q0za', SHORTENED, true],
    ['files__files.read', SHORTENED, true],
    ['files__files.*', SHORTENED, true],
    ['files__files.write', SHORTENED, false],
  ])('%s', (entry, tool, isMeant) => {
    expect(matchesAllowed(entry, tool)).toBe(isMeant);
  });
});
