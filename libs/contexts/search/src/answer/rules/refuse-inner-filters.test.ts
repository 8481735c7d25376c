import { AppError } from '@steward/contracts';
import { refuseInnerFilters } from './refuse-inner-filters.ts';

const refusal = (query: string): unknown => {
  try {
    refuseInnerFilters(query);
    return undefined;
  } catch (error) {
    return error instanceof AppError ? [error.status, error.detail, error.message] : error;
  }
};

describe('a filter written into the query (SRCH-78)', () => {
  it.each([
    ['tool:bash', 'tool_name'],
    ['deploy status:error', 'status'],
    ['deploy -status:error', 'status'],
    ['(agent:incident-bot', 'runtime_principal_id'],
    ['label:"repo:steward"', 'label'],
    ['session_source_type:claude_code x', 'session_source_type'],
    ['"quoted" tool_name:bash', 'tool_name'],
  ])('is refused, naming the filter: %s', (query, filter) => {
    expect(refusal(query)).toEqual([
      422,
      { field: 'query', filter },
      expect.stringContaining(`"filters": {"${filter}": ...}`),
    ]);
  });

  it.each(['path:src/net', 'path:/usr/bin', '-path:"src/net"'])('is refused as an unknown filter: %s', (query) => {
    expect(refusal(query)).toEqual([422, { field: 'query' }, expect.stringContaining('search for the path itself')]);
  });

  it.each([
    'http://a.test/x',
    'Error: no such file',
    'std::vector',
    'status::ok',
    'status: 500',
    'status:',
    'PATH:/usr/bin',
    'HTTPstatus:500',
    'my_status:500',
    'exit-status:1',
    'tool://x',
    '"tool:bash"',
    '"no status:error here"',
    'say "status:error',
    'key:value',
  ])('is treated as ordinary text: %s', (query) => {
    expect(refusal(query)).toBeUndefined();
  });
});
