import { findHeaderFault } from './find-header-fault.ts';

describe('the headers of a tool server (MCP-4)', () => {
  it('can be any headers except those set by the connection itself', () => {
    expect(findHeaderFault({})).toBeUndefined();
    expect(findHeaderFault({ Authorization: 'Bearer a b', 'X-Api-Key': '~' })).toBeUndefined();
  });

  it.each<[string, Record<string, string>]>([
    ['a name with a space', { 'x y': 'a' }],
    ['no name', { '': 'a' }],
    ['a line break', { 'x-a': 'secret\r\nx-b: c' }],
    ['no value', { 'x-a': '' }],
    ['a space at the end', { 'x-a': 'secret ' }],
    ['letters that are no ASCII', { 'x-a': 'sécret' }],
    ['one name in two spellings', { 'X-A': 'secret', 'x-a': 'secret' }],
    ['the host', { Host: 'secret' }],
    ['the length', { 'Content-Length': '1' }],
    ['a header of the protocol', { 'Mcp-Session-Id': 'secret' }],
    ['too many', Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`x-${at}`, 'secret']))],
    ['too much', { 'x-a': 'secret'.repeat(1400) }],
  ])('are refused for %s, and the reason contains no value', (_, headers) => {
    expect(findHeaderFault(headers)).toMatch(/\.$/);
    expect(findHeaderFault(headers)).not.toContain('secret');
  });
});
