import type { AiModel } from '../../api/answers.ts';
import { saveItem } from '../../api/save-item.ts';
import { MODELS_PATH, modelsKey } from '../../queries/models.ts';
import { CheckField } from '../../ui/check-field.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { ProviderKeyField } from '../../ui/provider-key-field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { FallbackFields, readFallbacks } from './fallback-fields.tsx';
import { listPriceErrors, PriceFields, readPrices } from './price-fields.tsx';

const PROVIDERS: Readonly<Record<AiModel['provider'], string>> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  generic_compatible: 'OpenAI-compatible',
};

interface Props {
  /** The model to change; undefined for a new one. */
  readonly model: AiModel | undefined;
  readonly onClose: () => void;
}

export function ModelDialog({ model, onClose }: Props) {
  function save(values: Readonly<Record<string, string>>): Promise<AiModel> {
    return saveItem<AiModel>(MODELS_PATH, model, readModel(values));
  }
  const title = model === undefined ? 'Add model' : `Edit ${model.alias}`;
  const action = model === undefined ? 'Add model' : 'Save model';
  return (
    <FormDialog title={title} action={action} onClose={onClose} onSend={save} touches={modelsKey}>
      {(errorOf) => (
        <>
          <Field
            label="Alias"
            name="alias"
            hint="Name that clients send in the model field."
            required
            defaultValue={model?.alias}
            error={errorOf('alias')}
          />
          <SelectField
            label="Provider"
            name="provider"
            options={PROVIDERS}
            defaultValue={model?.provider}
            error={errorOf('provider')}
          />
          <Field
            label="Name at the provider"
            name="model_identifier"
            required
            defaultValue={model?.model_identifier}
            error={errorOf('model_identifier')}
          />
          <Field
            label="Address"
            name="base_url"
            inputMode="url"
            hint="https base URL including the API version, for example https://api.example.com/v1. Optional for OpenAI and Anthropic."
            defaultValue={model?.base_url}
            error={errorOf('base_url')}
          />
          <ProviderKeyField isStored={model?.has_api_key === true} error={errorOf('api_key')} />
          <PriceFields model={model} errors={listPriceErrors(errorOf)} />
          <FallbackFields model={model} error={errorOf('fallback_model_ids')} />
          <CheckField name="is_default" label="Default model" checked={model?.is_default ?? false} />
          <CheckField name="enabled" label="Enabled" checked={model?.enabled ?? true} />
        </>
      )}
    </FormDialog>
  );
}

function readModel(values: Readonly<Record<string, string>>) {
  const { alias = '', provider, model_identifier: identifier = '', base_url: url = '', api_key: key = '' } = values;
  const fallbacks = readFallbacks(values);
  return {
    alias: alias.trim(),
    provider,
    model_identifier: identifier.trim(),
    is_default: values['is_default'] === 'on',
    enabled: values['enabled'] === 'on',
    prices: readPrices(values),
    ...(fallbacks !== undefined && { fallback_model_ids: fallbacks }),
    ...(url.trim() !== '' && { base_url: url.trim() }),
    ...(key !== '' && { api_key: key }),
  };
}
