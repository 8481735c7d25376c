import { EXECUTION_KEYS, type ExecutionParams } from '../../queries/executions.ts';
import { useNames } from '../../queries/use-names.ts';
import { ChoiceFilter } from '../../ui/choice-filter.tsx';
import { FilterForm } from '../../ui/filters.tsx';
import { listWords } from '../../ui/status-badge.tsx';
import { STATES } from './execution-state.tsx';

interface Props {
  readonly params: ExecutionParams;
  readonly onFilter: (params: ExecutionParams) => void;
}

export function ExecutionFilters({ params, onFilter }: Props) {
  const flows = Object.fromEntries(useNames('flow'));
  return (
    <FilterForm keys={EXECUTION_KEYS} params={params} onFilter={onFilter}>
      <ChoiceFilter label="Flow" name="flow" chosen={params.flow} options={flows} />
      <ChoiceFilter label="State" name="status" chosen={params.status} options={listWords(STATES)} />
    </FilterForm>
  );
}
