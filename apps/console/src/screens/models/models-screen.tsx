import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { AiModel } from '../../api/answers.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { modelsQuery } from '../../queries/models.ts';
import type { Column } from '../../ui/data-table.tsx';
import { DialogButton } from '../../ui/dialog-button.tsx';
import { formatUsd } from '../../ui/format-usd.ts';
import { ListPage } from '../../ui/list-page.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { ModelActions } from './model-actions.tsx';
import { ModelDialog } from './model-dialog.tsx';

const route = getRouteApi('/inside/models');

const COLUMNS: readonly Column<AiModel>[] = [
  { name: 'Alias', show: ({ alias, is_default: isDefault }) => (isDefault ? `${alias} (default)` : alias) },
  { name: 'Provider model', show: ({ model_identifier: name, base_url: url }) => `${name}, ${url}` },
  {
    name: 'Price per million tokens',
    show: ({ prices: { input_per_mtok_usd: input, output_per_mtok_usd: output } }) =>
      input === null || output === null ? 'unknown' : `${formatUsd(input)} in, ${formatUsd(output)} out`,
  },
  {
    name: 'State',
    show: ({ enabled: isEnabled, has_api_key: hasKey, warnings }) => (
      <>
        <StatusBadge tone={isEnabled ? 'ok' : 'none'}>{isEnabled ? 'Enabled' : 'Disabled'}</StatusBadge>{' '}
        {hasKey ? '' : 'no key'}
        {warnings.map(({ code, message }) => (
          <p key={code}>{message}</p>
        ))}
      </>
    ),
  },
  { name: 'Change', show: (model) => <ModelActions model={model} /> },
];

export function ModelsScreen() {
  const { cursor } = route.useSearch();
  const query = useQuery({ ...modelsQuery(cursor), placeholderData: keepPreviousData });
  const refusal = useRefusal('manage_ai_models');
  return (
    <ListPage
      name="AI models"
      what="models"
      columns={COLUMNS}
      query={query}
      empty="No models yet. Agents refer to a model by its alias; Steward stores the API key and calls the provider."
      actions={
        <DialogButton label="Add model" look="primary" disabledReason={refusal}>
          {(close) => <ModelDialog model={undefined} onClose={close} />}
        </DialogButton>
      }
    />
  );
}
