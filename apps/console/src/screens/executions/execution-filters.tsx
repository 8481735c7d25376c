import { useQuery } from '@tanstack/react-query';
import { EXECUTION_KEYS, type ExecutionParams } from '../../queries/executions.ts';
import { flowsQuery } from '../../queries/flows.ts';
import { FilterForm } from '../../ui/filters.tsx';
import { STATES } from './execution-state.tsx';

interface Props {
  readonly params: ExecutionParams;
  readonly onFilter: (params: ExecutionParams) => void;
}

export function ExecutionFilters({ params, onFilter }: Props) {
  const { data } = useQuery(flowsQuery(undefined));
  const flows = data?.items ?? [];
  const isElsewhere = params.flow !== undefined && !flows.some(({ id }) => id === params.flow);
  return (
    <FilterForm keys={EXECUTION_KEYS} params={params} onFilter={onFilter}>
      <label>
        Flow
        <select name="flow" key={flows.length} defaultValue={params.flow ?? ''}>
          <option value="">All</option>
          {isElsewhere && <option>{params.flow}</option>}
          {flows.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        State
        <select name="status" defaultValue={params.status ?? ''}>
          <option value="">All</option>
          {Object.entries(STATES).map(([status, [, word]]) => (
            <option key={status} value={status}>
              {word}
            </option>
          ))}
        </select>
      </label>
    </FilterForm>
  );
}
