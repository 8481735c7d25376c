import { useState } from 'react';
import type { EmbeddingChange, EmbeddingSetting } from '../../api/answers.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { saveEmbedding } from '../../queries/embedding.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { CheckField } from '../../ui/check-field.tsx';
import { Field } from '../../ui/field.tsx';
import { ProviderKeyField } from '../../ui/provider-key-field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { useForm } from '../../ui/use-form.ts';
import styles from './settings.module.css';

const SCOPES = { summaries_only: 'Titles and summaries', full: 'All content' } as const;
const FIELDS = ['scope', 'model_identifier', 'base_url', 'api_key', 'daily_cap_usd'];

interface Props {
  readonly setting: EmbeddingSetting;
  readonly onSaved: (() => void) | undefined;
}

export function EmbeddingForm({ setting, onSaved }: Props) {
  const refusal = useRefusal('manage_budgets');
  const [isSaved, setSaved] = useState(false);
  const { error, isBusy, onSubmit } = useForm(async (values) => {
    setSaved(false);
    await saveEmbedding(readChange(values));
    setSaved(true);
    onSaved?.();
  });
  const errorOf = (field: string): string | undefined => (error?.field === field ? error.message : undefined);
  const isOfAField = FIELDS.some((field) => errorOf(field) !== undefined);
  return (
    <form className={styles['form']} onSubmit={onSubmit} aria-label="Embedding">
      {refusal !== undefined && <Notice tone="info">You can read this setting, but changing it {refusal}.</Notice>}
      <fieldset className={styles['fields']} disabled={refusal !== undefined}>
        <CheckField name="enabled" label="Semantic search" checked={setting.enabled} />
        <SelectField
          label="Content to embed"
          name="scope"
          options={SCOPES}
          defaultValue={setting.scope}
          error={errorOf('scope')}
        />
        <Field
          label="Model"
          name="model_identifier"
          defaultValue={setting.model_identifier ?? ''}
          hint="Name of the model at its provider."
          error={errorOf('model_identifier')}
        />
        <Field
          label="Endpoint"
          name="base_url"
          inputMode="url"
          placeholder="https://embeddings.example.test/v1"
          defaultValue={setting.base_url ?? ''}
          error={errorOf('base_url')}
        />
        <ProviderKeyField isStored={setting.has_api_key} error={errorOf('api_key')} />
        <Field
          label="Daily cap in US dollars"
          name="daily_cap_usd"
          inputMode="decimal"
          defaultValue={setting.daily_cap_usd ?? ''}
          hint={`Empty: the default of this deployment, ${setting.deployment_daily_cap_usd}.`}
          error={errorOf('daily_cap_usd')}
        />
      </fieldset>
      {error !== undefined && !isOfAField && <ErrorState error={error} />}
      {isSaved && (
        <Notice tone="ok" isNews>
          Saved
        </Notice>
      )}
      <Button type="submit" look="primary" aria-busy={isBusy} disabledReason={refusal}>
        Save
      </Button>
    </form>
  );
}

/**
 * Returns the request body. The provider details are only sent if embedding is enabled; if it is disabled, the stored
 * details are retained.
 */
function readChange(values: Readonly<Record<string, string>>): EmbeddingChange {
  const { model_identifier: model = '', base_url: baseUrl = '', api_key: key = '', daily_cap_usd: cap = '' } = values;
  const isEnabled = values['enabled'] === 'on';
  return {
    enabled: isEnabled,
    scope: values['scope'] ?? null,
    daily_cap_usd: cap.trim() === '' ? null : Number(cap),
    ...(isEnabled && {
      model_identifier: model.trim(),
      base_url: baseUrl.trim() === '' ? null : baseUrl.trim(),
      ...(key !== '' && { api_key: key }),
    }),
  };
}
