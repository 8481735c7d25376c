import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { AiModel } from '../../api/answers.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { modelsQuery } from '../../queries/models.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { formatUsd } from '../../ui/format-usd.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { ModelActions } from './model-actions.tsx';
import { ModelDialog } from './model-dialog.tsx';

const route = getRouteApi('/inside/models');

const COLUMNS: readonly Column<AiModel>[] = [
  { name: 'Alias', show: ({ alias, is_default: isDefault }) => (isDefault ? `${alias} (default)` : alias) },
  { name: 'Served as', show: ({ model_identifier: name, base_url: url }) => `${name}, ${url}` },
  {
    name: 'Price of a million tokens',
    show: ({ prices: { input_per_mtok_usd: input, output_per_mtok_usd: output } }) =>
      input === null || output === null ? 'unknown' : `${formatUsd(input)} in, ${formatUsd(output)} out`,
  },
  {
    name: 'State',
    show: ({ enabled: isEnabled, has_api_key: hasKey, warnings }) => (
      <>
        <StatusBadge tone={isEnabled ? 'ok' : 'none'}>{isEnabled ? 'Enabled' : 'Disabled'}</StatusBadge>{' '}
        {hasKey ? '' : 'without a key'}
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
  const [isAdding, setAdding] = useState(false);
  const refusal = useRefusal('manage_ai_models');
  return (
    <Page
      title="AI models"
      actions={
        <Button look="primary" disabledReason={refusal} onClick={() => setAdding(true)}>
          Add model
        </Button>
      }
    >
      <Loaded what="models" query={query}>
        {({ items, next_cursor: next }) => (
          <>
            {items.length === 0 ? (
              <p>No model yet. Agents name one by its alias; Steward keeps the key and asks its provider for them.</p>
            ) : (
              <DataTable name="AI models" columns={COLUMNS} rows={items} keyOf={({ id }) => id} />
            )}
            {next !== null && (
              <Link to="/models" search={{ cursor: next }} rel="next">
                Next page
              </Link>
            )}
          </>
        )}
      </Loaded>
      {isAdding && <ModelDialog model={undefined} onClose={() => setAdding(false)} />}
    </Page>
  );
}
